import { CodecError } from './codec-error.js';
import type { Duration, Timestamp } from './values.js';

/** Seconds of the zero time of the node, year 1. */
export const zeroTimeSeconds = -62135596800n;
/** Last second of year 9999, the end of RFC 3339. */
const lastSecond = 253402300799n;

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Reads RFC 3339 text with 0 to 9 fraction digits. The zero time is `undefined`. */
export function readTimestamp(text: string): Timestamp | undefined {
  const parts = rfc3339.exec(text);
  if (parts === null) throw new CodecError(`${JSON.stringify(text.slice(0, 60))} is not an RFC 3339 time`);
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes] = parts;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1 || Number(minute) > 59) {
    throw new CodecError(`${JSON.stringify(text)} is no day or time of the calendar`);
  }
  let seconds = BigInt(date.getTime()) / 1000n;
  if (sign !== undefined) {
    const offset = BigInt(Number(offsetHours) * 3600 + Number(offsetMinutes) * 60);
    seconds += sign === '+' ? -offset : offset;
  }
  return timestampOf(seconds, Number(fraction.padEnd(9, '0')));
}

/** Point in time from its two wire parts; the zero time is `undefined`. */
export function timestampOf(seconds: bigint, nanos: number): Timestamp | undefined {
  if (seconds < zeroTimeSeconds || seconds > lastSecond) {
    throw new CodecError(`time of ${seconds} s lies outside the years 1 to 9999`);
  }
  if (nanos < 0 || nanos > 999_999_999) throw new CodecError(`nanos of a time are 0 to 999999999, not ${nanos}`);
  return seconds === zeroTimeSeconds && nanos === 0 ? undefined : { seconds, nanos };
}

/**
 * Whole milliseconds since 1970 for a point in time, or of a duration; rounded down.
 *
 * @throws CodecError outside of 285,000 years, where a number cannot represent each millisecond
 */
export function toMillis({ seconds, nanos }: Timestamp | Duration): number {
  const ms = Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);
  if (!Number.isSafeInteger(ms)) throw new CodecError(`${seconds} s are more milliseconds than a number holds`);
  return ms;
}

/** JavaScript date of a point in time; rounded down to a millisecond. */
export function toDate(time: Timestamp): Date {
  return new Date(toMillis(time));
}

/**
 * Point in time from milliseconds since 1970, such as `Date.now()`; fractions are rounded down.
 *
 * @throws CodecError outside of the years 1 to 9999
 */
export function fromMillis(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1_000);
  if (!(seconds >= Number(zeroTimeSeconds) && seconds <= Number(lastSecond)))
    throw new CodecError(`time of ${ms} ms lies outside the years 1 to 9999`);
  return { seconds: BigInt(seconds), nanos: Math.floor(ms - seconds * 1_000) * 1_000_000 };
}

/** Number of fraction digits in a text: 0, 3, 6 or 9, or as many as needed. */
export type FractionDigits = 'groups' | 'trimmed';

/** RFC 3339 text in UTC; `undefined` is the zero time. */
export function printTimestamp(time: Timestamp | undefined, digits: FractionDigits = 'groups'): string {
  const { seconds, nanos } = time ?? { seconds: zeroTimeSeconds, nanos: 0 };
  if (seconds < zeroTimeSeconds || seconds > lastSecond) {
    throw new CodecError(`time of ${seconds} s lies outside the years 1 to 9999`);
  }
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}${printFraction(nanos, digits)}Z`;
}

function printFraction(nanos: number, digits: FractionDigits): string {
  if (nanos === 0) return '';
  const all = String(nanos).padStart(9, '0');
  if (digits === 'trimmed') return `.${all.replace(/0+$/, '')}`;
  return `.${all.endsWith('000000') ? all.slice(0, 3) : all.endsWith('000') ? all.slice(0, 6) : all}`;
}

const unitNanos: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ns: 1n,
};

/** Reads `7200s`, `0.500s`, `-1.5s`, and the form in events, `2h0m0s`. */
export function readDuration(text: string): Duration {
  const minus = text.startsWith('-');
  const body = minus || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return { seconds: 0n, nanos: 0 };
  const part = /(\d*)(?:\.(\d*))?(h|ms|m|s|us|µs|μs|ns)/y;
  let total = 0n;
  let at = 0;
  while (at < body.length) {
    part.lastIndex = at;
    const match = part.exec(body);
    const [whole = '', fraction = '', unit = ''] = match?.slice(1) ?? [];
    const nanos = unitNanos[unit];
    if (nanos === undefined || (whole === '' && fraction === '') || whole.length > 20) {
      throw new CodecError(`${JSON.stringify(text.slice(0, 60))} is not a duration such as 7200s or 2h0m0s`);
    }
    total +=
      BigInt(whole) * nanos +
      (BigInt(fraction.slice(0, 12) || '0') * nanos) / 10n ** BigInt(Math.min(fraction.length, 12));
    at = part.lastIndex;
  }
  if (body === '') throw new CodecError('a duration such as 7200s is expected, not an empty text');
  const signed = minus ? -total : total;
  return { seconds: signed / 1_000_000_000n, nanos: Number(signed % 1_000_000_000n) };
}

/** Decimal seconds with 0, 3, 6 or 9 fraction digits: `7200s`, `0.500s`. */
export function printDuration({ seconds, nanos }: Duration): string {
  const minus = seconds < 0n || nanos < 0 ? '-' : '';
  const whole = seconds < 0n ? -seconds : seconds;
  return `${minus}${whole}${printFraction(Math.abs(nanos), 'groups')}s`;
}

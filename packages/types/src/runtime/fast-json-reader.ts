import { anyMember, anyUrl } from './any.js';
import { zeroInt } from './dec.js';
import { unusual } from './fast-reader.js';
import type { Naming } from './naming.js';
import { readField, readValue } from './read-json.js';
import { signed, words } from './scratch-words.js';
import type { Field, FieldOf, MessageTable } from './table.js';
import type { Duration, Timestamp } from './values.js';
import { isWellKnown } from './well-known.js';

/** Reads one parsed message; `depth` is that of the message. */
export type FastJsonDecoder = (reader: FastJsonReader, json: unknown, depth: number) => unknown;

/** Converts an integer within ±2^53 to a bigint. */
function bigintOf(value: number): bigint {
  words[0] = value;
  words[1] = Math.floor(value / 2 ** 32);
  return signed[0] as bigint;
}

const zero = 48;
const dot = 46;

/** Value of the digits from `start` to `stop`, at most 15; -1 if a character is not a digit. */
function digits(text: string, start: number, stop: number): number {
  let value = 0;
  for (let i = start; i < stop; i++) {
    const digit = text.charCodeAt(i) - zero;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function isDigits(text: string, start: number, stop: number): boolean {
  for (let i = start; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code < zero || code > 57) return false;
  }
  return true;
}

/** Two digits; NaN past the end, and an out-of-range number if a character is not a digit. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const ones = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const monthDays: readonly number[] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const nanosPerDigits: readonly number[] = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1];
const zeroTime = -62135596800;

/** Values of parsed JSON for compiled decoders: usual spellings are read here, others by the table walk. */
export class FastJsonReader {
  readonly naming: Naming;
  readonly decoderOf: (table: MessageTable) => FastJsonDecoder;

  constructor(naming: Naming, decoderOf: (table: MessageTable) => FastJsonDecoder) {
    this.naming = naming;
    this.decoderOf = decoderOf;
  }

  /** Reads one value like the table walk; a fault is reported when the walk reads the whole message. */
  value(field: Field, json: unknown, depth: number): unknown {
    return readValue(field, json, this.naming, depth);
  }

  /** Like `value`, for a member that is a map. */
  field(field: Field, json: unknown, depth: number): unknown {
    return readField(field, json, this.naming, depth);
  }

  int64(field: Field, json: unknown, depth: number): unknown {
    if (typeof json === 'string' && json.length > 0 && json.length <= 15) {
      const value = digits(json, 0, json.length);
      if (value >= 0) return bigintOf(value);
    }
    return this.value(field, json, depth);
  }

  int(field: Field, json: unknown, depth: number): unknown {
    if (typeof json === 'string' && isDigits(json, 0, json.length)) return json === '' ? zeroInt : json;
    return this.value(field, json, depth);
  }

  /** The usual form is that of the node: 18 fraction digits, no sign, no leading zeros. */
  dec(field: Field, json: unknown, depth: number): unknown {
    if (typeof json === 'string') {
      const point = json.length - 19;
      const isUsual =
        (point === 1 || (point > 1 && json.charCodeAt(0) !== zero)) &&
        json.charCodeAt(point) === dot &&
        isDigits(json, 0, point) &&
        isDigits(json, point + 1, json.length);
      if (isUsual) return json;
    }
    return this.value(field, json, depth);
  }

  duration(field: Field, json: unknown, depth: number): unknown {
    if (typeof json === 'string' && json.length > 1 && json.length <= 16 && json.endsWith('s')) {
      const seconds = digits(json, 0, json.length - 1);
      if (seconds >= 0) return { seconds: bigintOf(seconds), nanos: 0 } satisfies Duration;
    }
    return this.value(field, json, depth);
  }

  /** The usual form is UTC between the years 0001 and 9999; days are counted in the proleptic Gregorian calendar. */
  timestamp(field: Field, json: unknown, depth: number): unknown {
    if (typeof json !== 'string') return this.value(field, json, depth);
    const last = json.length - 1;
    const year = pair(json, 0) * 100 + pair(json, 2);
    const month = pair(json, 5);
    const day = pair(json, 8);
    const hour = pair(json, 11);
    const minute = pair(json, 14);
    const second = pair(json, 17);
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const isUsual =
      year >= 1 &&
      month <= 12 &&
      day >= 1 &&
      day <= (month === 2 && isLeap ? 29 : (monthDays[month] ?? 0)) &&
      hour < 24 &&
      minute < 60 &&
      second < 60 &&
      json.charCodeAt(4) === 45 &&
      json.charCodeAt(7) === 45 &&
      json.charCodeAt(10) === 84 &&
      json.charCodeAt(13) === 58 &&
      json.charCodeAt(16) === 58 &&
      json.charCodeAt(last) === 90;
    let nanos = 0;
    if (last > 20 && last <= 29 && json.charCodeAt(19) === dot) {
      nanos = digits(json, 20, last) * (nanosPerDigits[last - 20] as number);
    } else if (last !== 19) return this.value(field, json, depth);
    if (!isUsual || nanos < 0) return this.value(field, json, depth);
    // A year of this count begins in March, so that the leap day is its last day.
    const y = month <= 2 ? year - 1 : year;
    const inYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
    const days = y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + inYear - 719468;
    const seconds = days * 86400 + hour * 3600 + minute * 60 + second;
    if (seconds === zeroTime && nanos === 0) return undefined;
    return { seconds: bigintOf(seconds), nanos } satisfies Timestamp;
  }

  any(field: FieldOf<'any'>, json: unknown, depth: number): unknown {
    const wireType = (json as { readonly '@type'?: unknown } | null)?.['@type'];
    if (typeof wireType !== 'string') return this.value(field, json, depth);
    const typeUrl = anyUrl(field, wireType, this.naming);
    const table = anyMember(field, typeUrl);
    if (table === undefined || isWellKnown(table.name)) return this.value(field, json, depth);
    return { typeUrl, value: this.decoderOf(table)(this, json, depth + 1) };
  }
}

/** Members of a message. */
export function jsonMembers(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw unusual;
  return json as Readonly<Record<string, unknown>>;
}

/** Number by each text of an enum. */
export function numbersOf(field: FieldOf<'enum'>): ReadonlyMap<string, number> {
  const { values, texts = {} } = field.enum();
  const full = Object.entries(values);
  const short = Object.entries(texts).flatMap(([text, name]) => {
    const number = Object.hasOwn(values, name) ? values[name] : undefined;
    return number === undefined ? [] : ([[text, number]] as const);
  });
  // A full name takes precedence over the same short text, as in the walk.
  return new Map([...short, ...full]);
}

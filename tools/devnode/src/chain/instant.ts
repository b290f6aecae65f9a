/** A point in time in nanoseconds since 1970. */
export type Instant = bigint;

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Parses an RFC 3339 time in UTC with up to nine fraction digits. */
export function parseInstant(text: string): Instant {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`not a UTC time with at most nine fraction digits: ${text}`);
  const nanos = (match[2] ?? '').padEnd(9, '0');
  return BigInt(Date.parse(`${match[1]}Z`)) * 1_000_000n + BigInt(nanos);
}

/** Formats a time like the consensus engine: as many fraction digits as needed, without trailing zeros. */
export function formatInstant(instant: Instant): string {
  const seconds = instant / 1_000_000_000n;
  const nanos = String(instant % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}${nanos === '' ? '' : `.${nanos}`}Z`;
}

export function instantMs(instant: Instant): number {
  return Number(instant / 1_000_000n);
}

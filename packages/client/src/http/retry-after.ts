/** Longest pause that a response can request, in milliseconds: an endpoint may have recovered after an hour. */
const longestMs = 3_600_000;

/**
 * Milliseconds from a `Retry-After` header, which contains seconds or a date, from 0 to an hour; `undefined` for other
 * values.
 *
 * @param nowMs milliseconds since 1970
 */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Math.min(longestMs, Number(text) * 1_000);
  // Only the HTTP date format: `Date.parse` would accept almost any text.
  const dateMs = /^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.min(longestMs, Math.max(0, dateMs - nowMs));
}

/** The member of a raw status; absent if the response requests no pause. */
export function retryAfterOf(header: (name: string) => string | undefined): { retryAfterMs?: number } {
  const retryAfterMs = readRetryAfter(header('retry-after'), Date.now());
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

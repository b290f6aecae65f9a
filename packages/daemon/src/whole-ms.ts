import type { Timestamp } from '@hubwatch/types/runtime/values';

/**
 * Milliseconds since 1970, rounded down. Blocks never share a millisecond, and a number cannot represent the
 * nanoseconds of a date.
 */
export const wholeMs = ({ seconds, nanos }: Timestamp): number =>
  Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);

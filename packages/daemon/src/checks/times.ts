import type { Timestamp } from '@hubwatch/types/runtime/values';

/** Seconds since 1970, as metrics have them. */
export const secondsOf = (time: Timestamp): number => Number(time.seconds) + time.nanos / 1e9;

/** Milliseconds since 1970, fractions kept. */
export const msOf = (time: Timestamp): number => Number(time.seconds) * 1_000 + time.nanos / 1e6;

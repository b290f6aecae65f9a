import type { Timestamp } from '@hubwatch/types/runtime/values';

/** Converts to seconds since 1970, the unit of metrics. */
export const secondsOf = (time: Timestamp): number => Number(time.seconds) + time.nanos / 1e9;

/** Converts to milliseconds since 1970, with fractions. */
export const msOf = (time: Timestamp): number => Number(time.seconds) * 1_000 + time.nanos / 1e6;

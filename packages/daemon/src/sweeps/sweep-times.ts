import type { Config } from '../config/schema.js';
import { cronGapMs, lastCronTime } from '../schedule/cron-times.js';

type Sweeps = Pick<Config['sweeps'], 'every' | 'cron' | 'zone'>;

/** Longest time that is between two rounds. */
export const sweepGapMs = ({ every, cron, zone }: Sweeps, atMs: number): number =>
  cron === undefined ? every : cronGapMs(cron, zone, atMs);

/**
 * Whether a timetable names a time since the last round, or since it is looked at when there was none: times that were missed
 * come late, and once.
 */
export const isCronDue = ({ cron, zone }: Sweeps, sinceMs: number, atMs: number): boolean => {
  const last = cron === undefined ? undefined : lastCronTime(cron, zone, atMs);
  return last !== undefined && last > sinceMs;
};

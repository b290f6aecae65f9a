import type { Config } from '../config/schema.js';
import { cronGapMs, lastCronTime } from '../schedule/cron-times.js';

type Sweeps = Pick<Config['sweeps'], 'every' | 'cron' | 'zone'>;

/** Longest interval between two rounds. */
export const sweepGapMs = ({ every, cron, zone }: Sweeps, atMs: number): number =>
  cron === undefined ? every : cronGapMs(cron, zone, atMs);

/**
 * Whether a schedule has a due time since the last round, or since the daemon started if there was none. Missed times
 * run late, and once.
 */
export const isCronDue = ({ cron, zone }: Sweeps, sinceMs: number, atMs: number): boolean => {
  const last = cron === undefined ? undefined : lastCronTime(cron, zone, atMs);
  return last !== undefined && last > sinceMs;
};

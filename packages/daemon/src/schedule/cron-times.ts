import { Cron } from 'croner';

const minuteMs = 60_000;

/** The last times at or before a moment that a cron expression names, by the wall clock of a zone, latest first. */
const lastTimes = (text: string, zone: string, atMs: number, most: number): readonly number[] => {
  // No timer: the clock is the daemon's, which may be that of a replayed chain.
  const cron = new Cron(text, { timezone: zone, paused: true, mode: '5-part' });
  const next = new Date(Math.floor(atMs / minuteMs + 1) * minuteMs);
  return cron.previousRuns(most, next).map((time) => time.getTime());
};

/**
 * The last time at or before a moment that a cron expression names. A time that the clock of the zone skips comes at the change;
 * one that it shows twice counts once, the first time.
 */
export const lastCronTime = (text: string, zone: string, atMs: number): number | undefined =>
  lastTimes(text, zone, atMs, 1)[0];

/** The longest time between the last few times that an expression named. */
export const cronGapMs = (text: string, zone: string, atMs: number): number => {
  const times = lastTimes(text, zone, atMs, 9);
  return times.slice(1).reduce((longest, time, no) => Math.max(longest, (times[no] ?? time) - time), 0);
};

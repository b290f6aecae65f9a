import { type Clock, systemClock } from '@hubwatch/client';

/** Start of a demo's chain, and its speed. */
export interface DemoTime {
  /** Time of day at which the demo began, milliseconds. */
  readonly startWallMs: number;
  /** Block time served at that moment, milliseconds. */
  readonly startChainMs: number;
  /** Chain seconds per second; 1 is real time. */
  readonly speed: number;
}

/** A clock whose time of day has its own speed. */
interface PacedClock extends Clock {
  /** Seconds of the time of day that pass in one second of monotonic time. */
  readonly speed: number;
}

/** Speed of a clock's time of day; 1 except in a demo. */
export const speedOf = (clock: Pick<Clock, 'monotonicMs'> & Partial<Pick<PacedClock, 'speed'>>): number =>
  clock.speed ?? 1;

/** The clock of a demo: the time of day follows the replayed chain, timers use real time. */
export const demoClock = (demo: DemoTime, base: Clock = systemClock): PacedClock => ({
  speed: demo.speed,
  nowMs: () => demo.startChainMs + (base.nowMs() - demo.startWallMs) * demo.speed,
  monotonicMs: () => base.monotonicMs(),
  setTimeout: (fn, ms) => base.setTimeout(fn, ms),
});

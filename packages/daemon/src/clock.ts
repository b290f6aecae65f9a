import { type Clock, systemClock } from '@hubwatch/client';

/** Where a demo's chain stood when it began, and how fast it runs. */
export interface DemoTime {
  /** Time of day at which the demo began, milliseconds. */
  readonly startWallMs: number;
  /** Block time served at that moment, milliseconds. */
  readonly startChainMs: number;
  /** Chain seconds per second; 1 is real time. */
  readonly speed: number;
}

/** A clock whose time of day passes at a pace of its own. */
interface PacedClock extends Clock {
  /** Seconds of the time of day that pass in one second of monotonic time. */
  readonly speed: number;
}

/** Pace of a clock's time of day; 1 except in a demo. */
export const speedOf = (clock: Pick<Clock, 'monotonicMs'> & Partial<Pick<PacedClock, 'speed'>>): number =>
  clock.speed ?? 1;

/** A clock on a demo's map: the time of day follows the played chain, timers stay on the operator's time. */
export const demoClock = (demo: DemoTime, base: Clock = systemClock): PacedClock => ({
  speed: demo.speed,
  nowMs: () => demo.startChainMs + (base.nowMs() - demo.startWallMs) * demo.speed,
  monotonicMs: () => base.monotonicMs(),
  setTimeout: (fn, ms) => base.setTimeout(fn, ms),
});

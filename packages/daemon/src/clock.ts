/** Ends a timer; calling it again, or after the timer ran, does nothing. */
export type Cancel = () => void;

/** All time that the daemon knows. Nothing else reads the machine's clock or starts a timer. */
export interface Clock {
  /** Time of day, milliseconds since 1970. In a demo it is the demo's time, which may run faster. */
  nowMs(): number;
  /** Milliseconds that pass for the operator, whatever the time of day does. For durations and ages of work. */
  monotonicMs(): number;
  /** Runs `fn` after `ms` of the operator's time. Does not keep the process alive by itself. */
  setTimeout(fn: () => void, ms: number): Cancel;
}

const startTimer = (fn: () => void, ms: number): Cancel => {
  const timer = setTimeout(fn, ms);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
};

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimeout: startTimer,
};

/** Where a demo's chain stood when it began, and how fast it runs. */
export interface DemoTime {
  /** Time of day at which the demo began, milliseconds. */
  readonly startWallMs: number;
  /** Block time served at that moment, milliseconds. */
  readonly startChainMs: number;
  /** Chain seconds per second; 1 is real time. */
  readonly speed: number;
}

/** A clock on a demo's map: the time of day follows the played chain, timers stay on the operator's time. */
export const demoClock = (demo: DemoTime, base: Clock = systemClock): Clock => ({
  nowMs: () => demo.startChainMs + (base.nowMs() - demo.startWallMs) * demo.speed,
  monotonicMs: () => base.monotonicMs(),
  setTimeout: (fn, ms) => base.setTimeout(fn, ms),
});

/** Resolves after `ms`, or at once when `signal` is aborted. */
export const pause = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimeout(finish, ms);
    signal?.addEventListener('abort', finish);
  });

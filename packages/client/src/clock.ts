/** Cancels a timer. Calling it again, or after the timer ran, does nothing. */
export type Cancel = () => void;

/** Source of time and timers. Client and daemon use no other clock, so that tests and replays can supply their own. */
export interface Clock {
  /** Time of day, milliseconds since 1970. It can jump: use it for dates only. */
  nowMs(): number;
  /** Milliseconds that only increase, from an arbitrary start. For waits, ages and deadlines. */
  monotonicMs(): number;
  /**
   * Runs `fn` once after `ms` of monotonic time. The delay is clamped to the range 0 to `longestTimerMs`. The timer keeps
   * the process alive until it ran or was cancelled.
   */
  setTimeout(fn: () => void, ms: number): Cancel;
}

/** Longest delay that the platform's timer accepts, about 24.8 days; the platform fires a longer one immediately. */
export const longestTimerMs = 2 ** 31 - 1;

/** Delay that a platform timer accepts: at least 0, at most `longestTimerMs`; 0 for NaN. */
export function timerMs(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(longestTimerMs, Math.max(0, ms));
}

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimeout: (fn, ms) => {
    const timer = setTimeout(fn, timerMs(ms));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or earlier when `signal` aborts. Leaves neither timer nor listener behind. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

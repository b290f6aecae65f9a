/** Time as this package sees it; tests give their own. */
export interface Clock {
  /** Milliseconds that only grow. */
  nowMs(): number;
  /** Resolves after so long, or early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const platformClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

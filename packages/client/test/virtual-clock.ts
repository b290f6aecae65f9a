import type { Cancel, Clock } from '../src/clock.js';

/** A clock that stands still until all code waits, and then jumps to the first timer. */
export class VirtualClock implements Clock {
  private ms = 0;
  private readonly timers: { atMs: number; wake: () => void }[] = [];

  nowMs(): number {
    return this.ms;
  }

  monotonicMs(): number {
    return this.ms;
  }

  setTimeout(fn: () => void, ms: number): Cancel {
    const timer = { atMs: this.ms + Math.max(0, ms), wake: fn };
    this.timers.push(timer);
    return () => {
      const index = this.timers.indexOf(timer);
      if (index >= 0) this.timers.splice(index, 1);
    };
  }

  /** Runs until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const watched = work.finally(() => over.abort());
    // The caller gets the failure itself.
    watched.catch(() => undefined);
    for (;;) {
      // First let every promise proceed that does not depend on time.
      await new Promise((resolve) => setImmediate(resolve));
      if (over.signal.aborted) return watched;
      this.timers.sort((a, b) => a.atMs - b.atMs);
      const next = this.timers.shift();
      if (next === undefined) throw new Error('everything waits, and no timer is set');
      this.ms = Math.max(this.ms, next.atMs);
      next.wake();
    }
  }
}

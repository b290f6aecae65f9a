import type { Cancel, Clock } from '@hubwatch/daemon';

interface Timer {
  readonly atMs: number;
  readonly fn: () => void;
}

/** A clock controlled by a proof. Timers that become due run in chronological order. */
export class VirtualClock implements Clock {
  private readonly startMs: number;
  private readonly timers = new Set<Timer>();
  private current: number;

  constructor(startMs: number) {
    this.startMs = startMs;
    this.current = startMs;
  }

  nowMs(): number {
    return this.current;
  }

  monotonicMs(): number {
    return this.current - this.startMs;
  }

  setTimeout(fn: () => void, ms: number): Cancel {
    const timer = { atMs: this.current + ms, fn };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  /** Advances time without running timers, as in a stalled process: they run late, at the next `set`. */
  skip(toMs: number): void {
    this.current = Math.max(this.current, toMs);
  }

  set(toMs: number): void {
    for (;;) {
      const due = [...this.timers].filter(({ atMs }) => atMs <= toMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.timers.delete(due);
      this.current = Math.max(this.current, due.atMs);
      due.fn();
    }
    this.current = Math.max(this.current, toMs);
  }
}

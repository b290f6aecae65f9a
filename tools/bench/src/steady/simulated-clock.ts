import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@hubwatch/daemon';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Idle event loop turns after which no further work is expected. */
const quietTurns = 4;

/**
 * A clock that stops while a request or response is in progress, and otherwise jumps to the next timer. A simulated
 * hour has all the requests of a real hour, and takes only as long as the requests.
 */
export class SimulatedClock implements Clock {
  private readonly timers = new Set<Timer>();
  private ms = 0;
  private underWay = 0;

  private readonly startMs: number;

  /** `startMs` is the initial time of day. */
  constructor(startMs: number) {
    this.startMs = startMs;
  }

  nowMs(): number {
    return this.startMs + this.ms;
  }

  monotonicMs(): number {
    return this.ms;
  }

  setTimeout(run: () => void, ms: number): () => void {
    const timer = { atMs: this.ms + ms, run };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /** Timers that have neither run nor been cancelled. */
  get pending(): number {
    return this.timers.size;
  }

  /** Stops the clock until the call has ended. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.underWay++;
    try {
      return await call();
    } finally {
      this.underWay--;
    }
  }

  /** Runs every timer up to a time, each after all work started by the previous one has finished. */
  async runTo(endMs: number): Promise<void> {
    for (;;) {
      await this.settled();
      const [due] = [...this.timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (due === undefined) break;
      this.timers.delete(due);
      this.ms = Math.max(this.ms, due.atMs);
      due.run();
    }
    this.ms = endMs;
  }

  private async settled(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; ) {
      await nextTurn();
      quiet = this.underWay === 0 ? quiet + 1 : 0;
    }
  }
}

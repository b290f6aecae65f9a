import type { Cancel, Clock } from '@hubwatch/client';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** A clock that does not advance until a test moves it. Timers that become due run in the order of their time. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  /** Number of timers that have not run yet. */
  pending(): number;
}

export const fakeClock = (startMs = 1_800_000_000_000): FakeClock => {
  let now = startMs;
  const timers = new Set<Timer>();
  return {
    nowMs: () => now,
    monotonicMs: () => now - startMs,
    setTimeout(fn, ms): Cancel {
      const timer = { at: now + ms, fn };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = due.at;
        due.fn();
      }
      now = end;
    },
    pending: () => timers.size,
  };
};

import { type Clock, pause } from '@hubwatch/client';
import { turn } from '../turn.js';
import { nameSignal } from './job-signals.js';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Each round only looks whether something is due, so that none is missed when a long one makes some fall out. */
  readonly looks?: boolean;
  /** One round. What it throws is reported, and the job goes on. */
  run(signal: AbortSignal, round?: Round): Promise<void>;
}

/** What a round is for. Without anything: everything is looked at. */
export interface Round {
  /** It is the timetable's: what is known and cannot have changed need not be looked at. */
  readonly isTimetable?: boolean;
  /** Subjects of which there is news; nothing else is looked at. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface JobObserver {
  /** Rounds whose time came while another was still running. */
  skipped(job: string, rounds: number): void;
  threw(job: string, error: unknown): void;
}

export interface RunningJob {
  /** Resolves when the first round is over, however it went. */
  readonly firstRound: Promise<void>;
  /** Runs a round beside the timetable, after one that is under way. */
  runNow(): Promise<void>;
  /**
   * The same without waiting for it, for subjects of which there is news, or for everything; called again before that round
   * begins, it only adds subjects.
   */
  wake(only?: ReadonlySet<string>): void;
  /** Aborts a running round and resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job at once and then at fixed times, never two rounds together: the time that passed while a round was running is
 * skipped, so that a slow node is not asked more often.
 */
export const startJob = (job: Job, clock: Clock, observer: JobObserver): RunningJob => {
  const stopping = new AbortController();
  nameSignal(stopping.signal, job.name);
  const isStopped = (): boolean => stopping.signal.aborted;
  let latest: Promise<void> = Promise.resolve();
  /** What a round that waits for its turn is for; `undefined` when none does. */
  let woken: { only: Set<string> | undefined } | undefined;

  const round = (purpose: () => Round): Promise<void> => {
    latest = latest.then(async () => {
      if (isStopped()) return;
      try {
        await job.run(stopping.signal, purpose());
      } catch (error) {
        if (!isStopped()) observer.threw(job.name, error);
      }
    });
    return latest;
  };
  const firstRound = round(() => ({}));
  const loop = async (): Promise<void> => {
    let due = clock.monotonicMs();
    await firstRound;
    while (!isStopped()) {
      const late = clock.monotonicMs() - due;
      const missed = Math.max(0, Math.ceil(late / job.everyMs) - 1);
      if (missed > 0 && job.looks !== true) observer.skipped(job.name, missed);
      due += (missed + 1) * job.everyMs;
      await pause(clock, Math.max(0, due - clock.monotonicMs()), stopping.signal);
      await round(() => ({ isTimetable: true }));
    }
  };
  const ended = loop();
  return {
    firstRound,
    runNow: () => round(() => ({})),
    wake(only) {
      if (woken !== undefined) {
        if (only === undefined) woken.only = undefined;
        else for (const subject of only) woken.only?.add(subject);
        return;
      }
      const purpose = { only: only === undefined ? undefined : new Set(only) };
      woken = purpose;
      void round(() => {
        woken = undefined;
        return purpose;
      });
    },
    async stop() {
      stopping.abort();
      await ended;
      await latest;
    },
  };
};

/**
 * Runs `fn` on every item, at most `limit` at a time. One is begun per turn of the event loop: with many endpoints the calls of
 * all would be one long turn, and their time limits would end in another.
 */
export const eachLimited = async <T>(
  items: readonly T[],
  limit: number,
  fn: (item: T) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await fn(item);
  };
  let begun: Promise<void> | undefined;
  const lanes = Array.from({ length: Math.min(limit, items.length) }, (_, no) => {
    if (no > 0) begun = begun === undefined ? turn() : begun.then(turn);
    return begun === undefined ? lane() : begun.then(lane);
  });
  await Promise.all(lanes);
};

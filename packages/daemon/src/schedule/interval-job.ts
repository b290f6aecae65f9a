import { type Clock, pause } from '@hubwatch/client';
import { turn } from '../turn.js';
import { nameSignal } from './job-signals.js';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Each round only checks whether work is due, so that no work is lost if a long round skips some. */
  readonly looks?: boolean;
  /** Runs one round. Exceptions are reported, and the job continues. */
  run(signal: AbortSignal, round?: Round): Promise<void>;
}

/** Scope of a round. Without properties: everything is read. */
export interface Round {
  /** The round was scheduled: known values that cannot have changed need not be read. */
  readonly isTimetable?: boolean;
  /** Subjects with events; only these are read. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface JobObserver {
  /** Called with the number of rounds whose time came while another was still running. */
  skipped(job: string, rounds: number): void;
  threw(job: string, error: unknown): void;
}

export interface RunningJob {
  /** Resolves when the first round has ended, regardless of its result. */
  readonly firstRound: Promise<void>;
  /** Runs a round in addition to the schedule, after the one in progress. */
  runNow(): Promise<void>;
  /**
   * Like `runNow` without waiting, for subjects with events, or for everything; a second call before that round begins
   * only adds subjects.
   */
  wake(only?: ReadonlySet<string>): void;
  /** Aborts a running round and resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job at once and then at fixed times, never two rounds concurrently. Times that pass during a round are
 * skipped, so that a slow node is not queried more often.
 */
export const startJob = (job: Job, clock: Clock, observer: JobObserver): RunningJob => {
  const stopping = new AbortController();
  nameSignal(stopping.signal, job.name);
  const isStopped = (): boolean => stopping.signal.aborted;
  let latest: Promise<void> = Promise.resolve();
  /** Scope of a pending round; `undefined` if there is none. */
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
 * Runs `fn` on every item, at most `limit` at a time. One item begins per turn of the event loop: with many endpoints,
 * starting all calls together would be one long turn, and their timeouts would all expire in another one.
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

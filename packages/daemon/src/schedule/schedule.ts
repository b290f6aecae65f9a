import { type Clock, pause } from '@hubwatch/client';
import { type Job, type JobObserver, type RunningJob, startJob } from './interval-job.js';

/** All jobs of the daemon. */
export interface Schedule {
  /** Runs every job once more, in order, each after a round of it that is under way. */
  runNow(): Promise<void>;
  /**
   * Has a job run a round as soon as it can, beside its timetable, of these subjects alone if any are named; nothing when it is
   * not there, or not begun.
   */
  wake(job: string, only?: ReadonlySet<string>): void;
  /** Aborts what is running and resolves when all has ended. */
  stop(): Promise<void>;
}

/** What ends the wait for the first job before its first round is over. */
export interface FirstStep {
  /** Resolves as soon as the other jobs have what they need of the first. */
  readonly found: Promise<void>;
  /** Longest wait, milliseconds. */
  readonly limitMs: number;
}

/**
 * Starts the first job, and the others as soon as it has found what they need: one endpoint that never answers must not
 * keep them waiting for the end of its round.
 */
export const startSchedule = (
  jobs: readonly Job[],
  clock: Clock,
  observer: JobObserver,
  { found, limitMs }: FirstStep,
): Schedule => {
  const [first, ...others] = jobs;
  const running: RunningJob[] = [];
  const byName = new Map<string, RunningJob>();
  const stopping = new AbortController();
  const start = (job: Job): RunningJob => {
    const started = startJob(job, clock, observer);
    running.push(started);
    byName.set(job.name, started);
    return started;
  };
  const startOthers = (): void => {
    if (!stopping.signal.aborted) others.forEach(start);
  };
  const firstStep = (job: Job): Promise<void> =>
    Promise.race([start(job).firstRound, found, pause(clock, limitMs, stopping.signal)]);
  const begun = first === undefined ? Promise.resolve() : firstStep(first).then(startOthers);
  return {
    async runNow() {
      await begun;
      for (const job of running) await job.runNow();
    },
    wake: (name, only) => byName.get(name)?.wake(only),
    async stop() {
      stopping.abort();
      await Promise.all(running.map((job) => job.stop()));
    },
  };
};

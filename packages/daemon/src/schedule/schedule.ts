import { type Clock, pause } from '@hubwatch/client';
import { type Job, type JobObserver, type RunningJob, startJob } from './interval-job.js';

/** All jobs of the daemon. */
export interface Schedule {
  /** Runs every job once more, in order, each after its round in progress. */
  runNow(): Promise<void>;
  /**
   * Triggers a round of a job as soon as possible, in addition to its schedule; only for `only` if given. Does nothing
   * if the job does not exist or has not started.
   */
  wake(job: string, only?: ReadonlySet<string>): void;
  /** Aborts all running rounds and resolves when they have ended. */
  stop(): Promise<void>;
}

/** Condition that ends the wait for the first job before its first round has ended. */
export interface FirstStep {
  /** Resolves as soon as the first job has found the facts that the other jobs need. */
  readonly found: Promise<void>;
  /** Maximum wait, milliseconds. */
  readonly limitMs: number;
}

/**
 * Starts the first job, and the others as soon as it has found the facts they need. They do not wait for the end of its
 * round, because one endpoint may never respond.
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

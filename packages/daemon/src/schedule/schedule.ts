import type { Clock } from '../clock.js';
import { type Job, type JobObserver, type RunningJob, startJob } from './interval-job.js';

/** All jobs of the daemon. */
export interface Schedule {
  /** Runs every job once more, in order, each after a round of it that is under way. */
  runNow(): Promise<void>;
  /** Aborts what is running and resolves when all has ended. */
  stop(): Promise<void>;
}

/** Starts the first job, and the others when its first round is over: they need what it finds out. */
export const startSchedule = (jobs: readonly Job[], clock: Clock, observer: JobObserver): Schedule => {
  const [first, ...others] = jobs;
  const running: RunningJob[] = [];
  let isStopped = false;
  const start = (job: Job): RunningJob => {
    const started = startJob(job, clock, observer);
    running.push(started);
    return started;
  };
  const startOthers = (): void => {
    if (!isStopped) others.forEach(start);
  };
  const begun = first === undefined ? Promise.resolve() : start(first).firstRound.then(startOthers);
  return {
    async runNow() {
      await begun;
      for (const job of running) await job.runNow();
    },
    async stop() {
      isStopped = true;
      await Promise.all(running.map((job) => job.stop()));
    },
  };
};

const jobs = new WeakMap<AbortSignal, string>();

/** Marks the signal under which a job runs, so that what is asked under it can be counted by job. */
export const nameSignal = (signal: AbortSignal, job: string): void => void jobs.set(signal, job);

/** Job that runs under a signal; `undefined` for a signal of something else. */
export const jobOf = (signal: AbortSignal): string | undefined => jobs.get(signal);

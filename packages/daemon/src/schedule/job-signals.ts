const jobs = new WeakMap<AbortSignal, string>();

/** Assigns a job name to its signal, so that requests under the signal can be counted by job. */
export const nameSignal = (signal: AbortSignal, job: string): void => void jobs.set(signal, job);

/** Name of the job that runs under a signal; `undefined` for any other signal. */
export const jobOf = (signal: AbortSignal): string | undefined => jobs.get(signal);

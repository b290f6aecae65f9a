import { type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const standardError = 2;

/** JSON lines in a file, or on standard error: standard output stays free for command results. */
export const createLogger = (level: LogLevel, file?: string): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: file ?? standardError, sync: true }),
  );

/** A request to an endpoint that failed. */
export interface FailedRequest {
  readonly endpoint: string;
  readonly transport: string;
  readonly method: string;
  readonly failure: string;
  /** Error code of the client, and whether the request can be retried. */
  readonly code?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** A failure that repeats is worth a line when it starts, when it changes and when it ends. */
export interface FailureLog {
  /** Logs a single request, at debug level. */
  request(failed: FailedRequest): void;
  /** `reason` says whether it is still the same failure; without one the text does. */
  failed(key: string, text: string, reason?: string): void;
  worked(key: string): void;
}

export const createFailureLog = (logger: Logger): FailureLog => {
  const current = new Map<string, { reason: string; times: number }>();
  return {
    request: (failed) => logger.debug(failed, 'request failed'),
    failed(key, text, reason = text) {
      const known = current.get(key);
      if (known?.reason === reason) {
        known.times += 1;
        return;
      }
      current.set(key, { reason, times: 1 });
      logger.warn({ what: key, failure: text }, known === undefined ? 'failing' : 'failure reason changed');
    },
    worked(key) {
      const known = current.get(key);
      if (known === undefined) return;
      current.delete(key);
      // At the level of its start: a log that shows one shows the other.
      logger.warn({ what: key, after: known.times }, 'recovered');
    },
  };
};

import { type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const standardError = 2;

/** Logs JSON lines to a file, or to standard error: standard output is reserved for command results. */
export const createLogger = (level: LogLevel, file?: string): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: file ?? standardError, sync: true }),
  );

/** A failed request to an endpoint. */
export interface FailedRequest {
  readonly endpoint: string;
  readonly transport: string;
  readonly method: string;
  readonly failure: string;
  /** Error code of the client, and whether the request can be retried. */
  readonly code?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** Logs a repeated failure only when it starts, when it changes and when it ends. */
export interface FailureLog {
  /** Logs a single request, at debug level. */
  request(failed: FailedRequest): void;
  /** `reason` determines whether it is still the same failure; without a reason the text does. */
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
      // Same level as the start of the failure, so that a log with one has the other.
      logger.warn({ what: key, after: known.times }, 'recovered');
    },
  };
};

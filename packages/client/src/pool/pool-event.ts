import type { ConnectionEvent } from '../connection-event.js';
import type { ErrorCode } from '../error.js';

/** Reads of the newest state, or of a past one: the slowness of the second says nothing about the first. */
export type Lane = 'live' | 'history';

/** What a pool does, for logs and metrics. */
export type PoolEvent =
  | {
      readonly kind: 'attempt';
      readonly endpoint: string;
      /** What was asked, as the caller named it. */
      readonly method: string;
      readonly lane: Lane;
      /** `stale`: an answer older than one given before, which was not taken. */
      readonly outcome: 'ok' | 'stale' | 'failed';
      readonly code?: ErrorCode | undefined;
      readonly height?: bigint | undefined;
      readonly ms: number;
    }
  /** The endpoint is not asked for so long. */
  | {
      readonly kind: 'blocked';
      readonly endpoint: string;
      readonly lane: Lane;
      readonly forMs: number;
      readonly code: ErrorCode;
      /** Failures in a row. */
      readonly failures: number;
    }
  /** The first answer after failures. */
  | { readonly kind: 'recovered'; readonly endpoint: string; readonly lane: Lane }
  /** Another endpoint than before answers. */
  | { readonly kind: 'selected'; readonly endpoint: string; readonly lane: Lane; readonly before: string | undefined }
  /** A call over REST of which the endpoint made one over another transport. */
  | (ConnectionEvent & { readonly endpoint: string })
  /** No endpoint may be asked now: their budgets are used up, or all of them failed. */
  | { readonly kind: 'waiting'; readonly reason: 'budget' | 'backoff'; readonly forMs: number };

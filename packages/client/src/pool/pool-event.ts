import type { ConnectionEvent } from '../connection-event.js';
import type { ErrorCode } from '../error.js';

/** Reads of the latest state, or of a past one: slow reads of past states are not evidence about live reads. */
export type Lane = 'live' | 'history';

/** Notification from a pool, for logs and metrics. */
export type PoolEvent =
  | {
      readonly kind: 'attempt';
      readonly endpoint: string;
      /** Name of the method, as given by the caller. */
      readonly method: string;
      readonly lane: Lane;
      /** `stale`: a rejected response, older than one returned before. */
      readonly outcome: 'ok' | 'stale' | 'failed';
      readonly code?: ErrorCode | undefined;
      readonly height?: bigint | undefined;
      readonly ms: number;
    }
  /** The endpoint is in backoff for this time. */
  | {
      readonly kind: 'blocked';
      readonly endpoint: string;
      readonly lane: Lane;
      readonly forMs: number;
      readonly code: ErrorCode;
      /** Number of consecutive failures. */
      readonly failures: number;
    }
  /** The first response after failures. */
  | { readonly kind: 'recovered'; readonly endpoint: string; readonly lane: Lane }
  /** Another endpoint than before responds. */
  | { readonly kind: 'selected'; readonly endpoint: string; readonly lane: Lane; readonly before: string | undefined }
  /** A REST call that the endpoint sent over another transport. */
  | (ConnectionEvent & { readonly endpoint: string })
  /** No endpoint is available: their budgets are used up, or all of them failed. */
  | { readonly kind: 'waiting'; readonly reason: 'budget' | 'backoff'; readonly forMs: number };

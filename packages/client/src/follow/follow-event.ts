import type { ErrorCode } from '../error.js';
import type { PoolEvent } from '../pool/pool-event.js';

/** What a follower does, for logs and metrics; its reads by height tell what a pool tells. */
export type FollowEvent =
  | PoolEvent
  /** The websocket is open and its subscription acknowledged. */
  | { readonly kind: 'connected'; readonly endpoint: string }
  | { readonly kind: 'disconnected'; readonly endpoint: string; readonly error: Error; readonly retryInMs: number }
  /** The chain went on while the websocket said nothing: it is given up. */
  | { readonly kind: 'mute'; readonly endpoint: string; readonly forMs: number; readonly head: bigint }
  /** A height that was not pushed was read. */
  | { readonly kind: 'filled'; readonly height: bigint }
  /** A height could not be read yet. */
  | { readonly kind: 'retry'; readonly height: bigint; readonly code: ErrorCode; readonly inMs: number }
  /** No endpoint holds these heights. */
  | { readonly kind: 'gap'; readonly from: bigint; readonly to: bigint };

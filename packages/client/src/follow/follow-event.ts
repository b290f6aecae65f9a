import type { ErrorCode } from '../error.js';
import type { PoolEvent } from '../pool/pool-event.js';

/** Notification from a follower, for logs and metrics. Its reads by height emit the notifications of a pool. */
export type FollowEvent =
  | PoolEvent
  /** The websocket is open and its subscription acknowledged. */
  | { readonly kind: 'connected'; readonly endpoint: string }
  | { readonly kind: 'disconnected'; readonly endpoint: string; readonly error: Error; readonly retryInMs: number }
  /** The chain advanced while the websocket sent no block: the websocket is closed. */
  | { readonly kind: 'mute'; readonly endpoint: string; readonly forMs: number; readonly head: bigint }
  /** A height that was not pushed has been read. */
  | { readonly kind: 'filled'; readonly height: bigint }
  /** A height could not be read yet. */
  | { readonly kind: 'retry'; readonly height: bigint; readonly code: ErrorCode; readonly inMs: number }
  /** No endpoint retains these heights. */
  | { readonly kind: 'gap'; readonly from: bigint; readonly to: bigint };

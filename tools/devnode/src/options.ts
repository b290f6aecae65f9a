import type { SentTx, TxScript } from './chain/mempool.js';
import type { QueryHandler } from './chain/query-handler.js';
import type { Repeats } from './recording/answer-shelf.js';
import type { NodeName } from './recording/rows.js';

export interface Ports {
  readonly grpc?: number;
  readonly rest?: number;
  readonly rpc?: number;
  readonly grpcWeb?: number;
}

/** CORS settings. Off by default, as on a node. */
export interface CorsOptions {
  /** The gateway's `enabled-unsafe-cors`: allows every origin, and no header except Content-Type. */
  readonly rest?: boolean;
  /** The engine's `cors_allowed_origins`; `*` allows every origin. */
  readonly rpc?: readonly string[];
}

/** Non-default settings in the node's configuration. */
export interface NodeSettings {
  /** Whether methods that change the node are available; off by default. */
  readonly unsafe?: boolean;
  /** Whether transactions and events are indexed; on by default. */
  readonly index?: boolean;
  /** Whether block results are stored; on by default. */
  readonly results?: boolean;
  /** Whether gRPC reflection is available. A node always serves it, but a proxy in front may drop it. */
  readonly reflection?: boolean;
}

/** A recorded chain in playback. */
export interface MovingOptions {
  readonly mode: 'moving';
  /** `day` (default), `chain`, or a folder that contains a recording in the same format. */
  readonly chain?: string;
  /** Chain seconds per second, 1 by default; with `manual` the chain moves only by `advanceTo`. */
  readonly speed?: number | 'manual';
  /** Head height at the start; the first by default. */
  readonly from?: number;
  /**
   * `now` (default) shifts the start head's block time to the present. `end` shifts the last block's time to the
   * present, so no block is in the future however far the head moves. `none` keeps recorded times.
   */
  readonly shiftTo?: 'now' | 'end' | 'none';
  /**
   * Decides the fate of a broadcast transaction. By default the next block includes it, with a recorded outcome of its
   * kind.
   */
  readonly script?: (tx: SentTx) => TxScript;
  /** Names on the wire: those of the public network (default), or neutral names for clients without a naming profile. */
  readonly names?: 'public' | 'neutral';
  /** Query handlers from a test that take precedence over those of the recording. */
  readonly answers?: readonly QueryHandler[];
  readonly settings?: NodeSettings;
  readonly cors?: CorsOptions;
  /** 0 or absent selects a free port. */
  readonly ports?: Ports;
}

/** One recorded node; its chain does not move. */
export interface RecordedOptions {
  readonly mode: 'recorded';
  /** `archive` by default. */
  readonly node?: NodeName;
  /** Selects the answer to a request that was recorded more than once, `in-order` by default. */
  readonly repeats?: Repeats;
  /** Clock for its `Date` and `X-Server-Time` headers; the system clock by default. */
  readonly nowMs?: () => number;
  /** Folder with the row files; the recordings of this package by default. */
  readonly rows?: string;
  /** Defaults to the recorded node's setting: off, except for one origin on the consensus RPC of `small`. */
  readonly cors?: CorsOptions;
  readonly ports?: Ports;
}

export type DevnodeOptions = MovingOptions | RecordedOptions;

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

/** What pages of other origins may read. Off by default, as on a node. */
export interface CorsOptions {
  /** The gateway's `enabled-unsafe-cors`: every origin, no header but Content-Type. */
  readonly rest?: boolean;
  /** The engine's `cors_allowed_origins`; `*` for every origin. */
  readonly rpc?: readonly string[];
}

/** What the operator of the node set otherwise than usual in its configuration. */
export interface NodeSettings {
  /** Methods that change the node are offered; off by default. */
  readonly unsafe?: boolean;
  /** Transactions and events are indexed; on by default. */
  readonly index?: boolean;
  /** Results of blocks are kept; on by default. */
  readonly results?: boolean;
  /** gRPC reflection; a node has it always, a proxy before it may drop it. */
  readonly reflection?: boolean;
}

/** A recorded chain that is played. */
export interface MovingOptions {
  readonly mode: 'moving';
  /** `day` (default), `chain`, or a folder with a recording of the same form. */
  readonly chain?: string;
  /** Chain seconds per second, 1 by default; `manual` moves only by `advanceTo`. */
  readonly speed?: number | 'manual';
  /** Height that is the head at the start; by default the first. */
  readonly from?: number;
  /**
   * `now` (default) makes the block time of the head at the start the present, `end` that of the last block, so that none is
   * of the future however far the head is moved; `none` keeps recorded times.
   */
  readonly shiftTo?: 'now' | 'end' | 'none';
  /** What becomes of a transaction that is sent; by default it is in the next block, with a recorded outcome of its kind. */
  readonly script?: (tx: SentTx) => TxScript;
  /** Names on the wire: those of the public network (default), or the neutral ones, for clients without a naming profile. */
  readonly names?: 'public' | 'neutral';
  /** Answers of a test, before those of the recording. */
  readonly answers?: readonly QueryHandler[];
  readonly settings?: NodeSettings;
  readonly cors?: CorsOptions;
  /** 0 or absent takes a free port. */
  readonly ports?: Ports;
}

/** One node as it was recorded: its chain stands still. */
export interface RecordedOptions {
  readonly mode: 'recorded';
  /** `archive` by default. */
  readonly node?: NodeName;
  /** Which answer a request gets that was recorded more than once, `in-order` by default. */
  readonly repeats?: Repeats;
  /** Time of day of its `Date` and `X-Server-Time`; that of the machine by default. */
  readonly nowMs?: () => number;
  /** Folder with the row files, by default the recordings of this package. */
  readonly rows?: string;
  /** By default what the recorded node had: off, but for one origin of the consensus RPC of `small`. */
  readonly cors?: CorsOptions;
  readonly ports?: Ports;
}

export type DevnodeOptions = MovingOptions | RecordedOptions;

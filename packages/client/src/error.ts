import { type ErrorCode, retryableErrorCodes } from '@hubwatch/types/gen/errors';
import { shownAddress } from './shown-address.js';

export type { ErrorCode } from '@hubwatch/types/gen/errors';

/** What the wire gave, kept for people and bug reports; callers judge by `code`. */
export interface RawStatus {
  readonly grpcCode?: number;
  readonly httpStatus?: number;
  /** Code and codespace of an application answer (abci). */
  readonly abciCode?: number;
  readonly codespace?: string;
  /** Code of a JSON-RPC error. */
  readonly rpcCode?: number;
  /** Milliseconds that the answer asks to wait, of its `Retry-After`. */
  readonly retryAfterMs?: number;
  readonly text?: string;
}

export interface HubErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly transport?: 'grpc' | 'rest' | 'abci' | 'rpc' | 'websocket';
  /** Kept as scheme, host and port: the rest may be a secret. */
  readonly address?: string;
  /** Neutral `<service>/<method>` or RPC method. */
  readonly method?: string | undefined;
  readonly raw?: RawStatus;
  /** Height asked for, where the failure is about a height. */
  readonly height?: bigint | undefined;
  /** Lowest height that the node says it holds, of blocks where the failure is about a block. */
  readonly lowestHeight?: bigint | undefined;
  /** Newest height of the node when it refused, where it says so. */
  readonly latestHeight?: bigint | undefined;
  readonly cause?: unknown;
}

/** The one error of this package. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: ErrorCode;
  readonly transport: HubErrorFacts['transport'];
  readonly address: string | undefined;
  readonly method: string | undefined;
  readonly raw: RawStatus;
  readonly height: bigint | undefined;
  readonly lowestHeight: bigint | undefined;
  readonly latestHeight: bigint | undefined;

  constructor(facts: HubErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.transport = facts.transport;
    this.address = facts.address === undefined ? undefined : shownAddress(facts.address);
    this.method = facts.method;
    this.raw = facts.raw ?? {};
    this.height = facts.height;
    this.lowestHeight = facts.lowestHeight;
    this.latestHeight = facts.latestHeight;
  }

  /** Whether a read that failed so may be asked again. Says nothing about broadcasts. */
  get retryable(): boolean {
    return retryableErrorCodes.includes(this.code);
  }
}

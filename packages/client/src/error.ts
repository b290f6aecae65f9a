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
  /** Without the code; the error adds it as a prefix. */
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

/** Marks errors of this class in every copy of the package: an application may have two, in two versions. */
const brand = Symbol.for('@hubwatch/client/HubError');

/**
 * The only error that this package throws, apart from programming errors. Its message begins with the code: `[not_found] …`.
 * `instanceof` also accepts those of another copy.
 */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: ErrorCode;
  /** The message without the code. */
  readonly rawMessage: string;
  readonly transport: HubErrorFacts['transport'];
  readonly address: string | undefined;
  readonly method: string | undefined;
  readonly raw: RawStatus;
  readonly height: bigint | undefined;
  readonly lowestHeight: bigint | undefined;
  readonly latestHeight: bigint | undefined;

  constructor(facts: HubErrorFacts) {
    super(`[${facts.code}] ${facts.message}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.rawMessage = facts.message;
    this.transport = facts.transport;
    this.address = facts.address === undefined ? undefined : shownAddress(facts.address);
    this.method = facts.method;
    this.raw = facts.raw ?? {};
    this.height = facts.height;
    this.lowestHeight = facts.lowestHeight;
    this.latestHeight = facts.latestHeight;
  }

  get [brand](): true {
    return true;
  }

  /**
   * Converts anything that was thrown: a `HubError` of any copy of this package is returned as it is, an abort becomes `cancelled`
   * or `timeout`, and everything else becomes `unknown` with the original as its `cause`.
   */
  static from(reason: unknown): HubError {
    if (reason instanceof HubError) return reason;
    return new HubError({ code: codeOf(reason), message: errorText(reason), cause: reason });
  }

  static override [Symbol.hasInstance](value: unknown): value is HubError {
    // A class derived from this one accepts its own instances only.
    if (this !== HubError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** Whether a read that failed so may be asked again. Says nothing about broadcasts. */
  get retryable(): boolean {
    return retryableErrorCodes.includes(this.code);
  }
}

/** Message of any thrown value, without the code of a `HubError`. Use it to build another message. */
export function errorText(reason: unknown): string {
  if (reason instanceof HubError) return reason.rawMessage;
  return reason instanceof Error ? reason.message : String(reason);
}

/** Names by which the platform marks an ended signal. */
const abortCodes: Readonly<Record<string, ErrorCode>> = { AbortError: 'cancelled', TimeoutError: 'timeout' };

const codeOf = (reason: unknown): ErrorCode =>
  (reason instanceof Error ? abortCodes[reason.name] : undefined) ?? 'unknown';

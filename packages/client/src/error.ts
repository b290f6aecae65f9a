import { type ErrorCode, retryableErrorCodes } from '@hubwatch/types/gen/errors';
import { shownAddress } from './shown-address.js';

export type { ErrorCode } from '@hubwatch/types/gen/errors';

/** Raw status from the wire, for people and bug reports. Callers should use `code`. */
export interface RawStatus {
  readonly grpcCode?: number;
  readonly httpStatus?: number;
  /** Code and codespace of an application response (abci). */
  readonly abciCode?: number;
  readonly codespace?: string;
  /** Code of a JSON-RPC error. */
  readonly rpcCode?: number;
  /** Milliseconds to wait, from the `Retry-After` header of the response. */
  readonly retryAfterMs?: number;
  readonly text?: string;
}

export interface HubErrorFacts {
  readonly code: ErrorCode;
  /** Without the code; the error adds the code as a prefix. */
  readonly message: string;
  readonly transport?: 'grpc' | 'rest' | 'abci' | 'rpc' | 'websocket';
  /** Stored as scheme, host and port: the rest may be a secret. */
  readonly address?: string;
  /** Neutral `<service>/<method>` or RPC method. */
  readonly method?: string | undefined;
  readonly raw?: RawStatus;
  /** Requested height, if the failure is about a height. */
  readonly height?: bigint | undefined;
  /** Lowest height that the node reports as available; for blocks if the failure is about a block. */
  readonly lowestHeight?: bigint | undefined;
  /** Latest height of the node at the time of the refusal, if it reports one. */
  readonly latestHeight?: bigint | undefined;
  readonly cause?: unknown;
}

/** Marks errors of this class in every copy of the package: an application may contain two versions. */
const brand = Symbol.for('@hubwatch/client/HubError');

/**
 * The only error that this package throws, apart from programming errors. Its message begins with the code:
 * `[not_found] …`. `instanceof` also accepts errors from another copy of the package.
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
   * Converts any thrown value. A `HubError` of any copy of this package is returned unchanged, and an abort becomes
   * `cancelled` or `timeout`. Everything else becomes `unknown` with the original as its `cause`.
   */
  static from(reason: unknown): HubError {
    if (reason instanceof HubError) return reason;
    return new HubError({ code: codeOf(reason), message: errorText(reason), cause: reason });
  }

  static override [Symbol.hasInstance](value: unknown): value is HubError {
    // A subclass accepts its own instances only.
    if (this !== HubError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** Whether a read that failed with this error may be repeated. Does not apply to broadcasts. */
  get retryable(): boolean {
    return retryableErrorCodes.includes(this.code);
  }
}

/** Message of any thrown value, without the code of a `HubError`. Use it to build another message. */
export function errorText(reason: unknown): string {
  if (reason instanceof HubError) return reason.rawMessage;
  return reason instanceof Error ? reason.message : String(reason);
}

/** Names by which the platform marks an aborted signal. */
const abortCodes: Readonly<Record<string, ErrorCode>> = { AbortError: 'cancelled', TimeoutError: 'timeout' };

const codeOf = (reason: unknown): ErrorCode =>
  (reason instanceof Error ? abortCodes[reason.name] : undefined) ?? 'unknown';

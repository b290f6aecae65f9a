import type { AnyMethod, RequestOf, ResponseOf, TransportKind } from '@hubwatch/types/runtime/method';

export interface CallOptions {
  /** Height of the state to query; the latest state when absent. */
  readonly height?: bigint | undefined;
  /** Milliseconds until the call fails with `timeout`. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Largest response accepted, in bytes. Default: the limit of the transport. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Additional headers (gRPC: metadata) of this request; they replace headers of the transport with the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer<T> {
  readonly message: T;
  /** Height of the state, from the height header; `undefined` if the transport returned none. */
  readonly height: bigint | undefined;
  /**
   * Set on a page of a list of which the node has more records: a request without a limit gets the node's default page
   * of 100 records. `collect` and `pages` read all of them. For a list that returns no next key, it is set if the
   * default page is full.
   */
  readonly isCut?: true;
}

/** One protocol to query a node. All transports decode into the same object and fail with the same error type. */
export interface Transport<K extends TransportKind = TransportKind> {
  readonly kind: K;
  /** Scheme, host and port of the address, for messages and metrics. */
  readonly address: string;
  /** @throws HubError with each code of its closed set. */
  call<M extends AnyMethod>(method: M, request: RequestOf<M, K>, options?: CallOptions): Promise<Answer<ResponseOf<M>>>;
  close(): Promise<void>;
}

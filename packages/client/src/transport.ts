import type { AnyMethod, RequestOf, ResponseOf, TransportKind } from '@hubwatch/types/runtime/method';

export interface CallOptions {
  /** Height to answer at; the newest state when absent. */
  readonly height?: bigint | undefined;
  /** Milliseconds until the call fails with `timeout`. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer accepted, in bytes. Default: as the transport has it. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Further headers (gRPC: metadata) of this request; one with the name of a header of the transport replaces it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer<T> {
  readonly message: T;
  /** Height at which the node answered, from the height header; `undefined` where the transport gave none. */
  readonly height: bigint | undefined;
  /**
   * Set on a page of a list of which the node has more records: a request without a limit gets the node's default page of 100
   * records. `collect` and `pages` read all of them. A list that gives no next key sets it where the default page is full.
   */
  readonly isCut?: true;
}

/** One way to ask a node. All transports decode into the same object and fail with the same error type. */
export interface Transport<K extends TransportKind = TransportKind> {
  readonly kind: K;
  /** Scheme, host and port of the address, for messages and metrics. */
  readonly address: string;
  /** @throws HubError with each code of its closed set. */
  call<M extends AnyMethod>(method: M, request: RequestOf<M, K>, options?: CallOptions): Promise<Answer<ResponseOf<M>>>;
  close(): Promise<void>;
}

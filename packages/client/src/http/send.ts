// Shared by the two ways to send a request: node-send over node:http, fetch-send over the platform's fetch.

export interface HttpRequest {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /**
   * Whether the request is idempotent. If so, a connection that ends before the response begins is retried once: a node
   * closes idle ones after 10 s, possibly at the moment of reuse.
   */
  readonly repeatable?: boolean | undefined;
}

/** The head of a response, and its body while it is received. Redirects are returned as responses, not followed. */
export interface HttpResponse {
  readonly status: number;
  /** Value of a header, in any case; `undefined` if the response does not have it. */
  readonly header: (name: string) => string | undefined;
  /** `undefined` if the response has none. A body that is not read to its end must be cancelled. */
  readonly body: HttpBody | undefined;
}

/** A decompressed body, chunk by chunk. */
export interface HttpBody {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  /** Discards the unread rest. */
  cancel(): unknown;
}

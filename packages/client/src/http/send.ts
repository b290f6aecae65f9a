// What the two ways to send a request have in common: node-send over node:http, fetch-send over the platform's fetch.

export interface HttpRequest {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /**
   * Whether asking twice is the same as asking once. Then a connection that ends before the answer begins is made again
   * once: a node drops idle ones after 10 s, and may do so in the moment in which one is used again.
   */
  readonly repeatable?: boolean | undefined;
}

/** The head of an answer, and its body while it is received. Redirects are answers, and are not followed. */
export interface HttpResponse {
  readonly status: number;
  /** Value of a header, any case; `undefined` where the answer has none. */
  readonly header: (name: string) => string | undefined;
  /** `undefined` where the answer has none. One that is not read to its end must be cancelled. */
  readonly body: HttpBody | undefined;
}

/** A body without its packing, part by part. */
export interface HttpBody {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  /** Gives up what has not been read. */
  cancel(): unknown;
}

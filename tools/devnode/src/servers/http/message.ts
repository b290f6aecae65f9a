/** A header as on the wire: name in its original case, and value. */
export type Header = readonly [name: string, value: string];

export interface HttpRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly version: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** The body exceeded the server's limit; `body` then contains only its beginning. */
  readonly tooLarge: boolean;
  /** `address:port` of the client. */
  readonly remote: string;
}

/**
 * How the body ends. `length` and `chunked` are as in HTTP. `none` is for a response that ends with its connection or
 * has no body. `auto` selects length up to 2048 bytes and chunks above, like the node's own server.
 */
export type Framing = 'auto' | 'length' | 'chunked' | 'none';

export interface HttpAnswer {
  readonly status: number;
  readonly reason?: string;
  /** Headers from the handler, in sending order. The server adds `Date`, length, `Connection` and framing. */
  readonly headers: readonly Header[];
  readonly body: Buffer | string;
  readonly framing?: Framing;
  readonly trailers?: readonly Header[];
  /** `headers` is the complete recorded list: only times and `Connection` are updated. */
  readonly complete?: boolean;
  /** Omits `Date`: the response comes from a parser, not from a handler. */
  readonly bare?: boolean;
  /** Closes the connection although the client did not request it. */
  readonly close?: boolean;
  /** Instead of a response: reset the connection, or leave it open and silent. */
  readonly instead?: 'reset' | 'silence';
}

export type HttpHandler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** First value of a header, case-insensitive. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** All values of a header, in order. */
export function headersOf(headers: readonly Header[], name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

/** Pairs up Node's flat list of header names and values. */
export function pairHeaders(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] as string, raw[i + 1] as string]);
  return headers;
}

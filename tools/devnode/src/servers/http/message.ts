/** A header as it stands on the wire: name in its own case, value. */
export type Header = readonly [name: string, value: string];

export interface HttpRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly version: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** The body was longer than the server takes; `body` then holds its beginning. */
  readonly tooLarge: boolean;
  /** `address:port` of the client. */
  readonly remote: string;
}

/**
 * How the body ends: `length` and `chunked` as in HTTP, `none` for an answer that ends with its connection or has no
 * body, `auto` picks length up to 2048 bytes and chunks above, as the node's own server does.
 */
export type Framing = 'auto' | 'length' | 'chunked' | 'none';

export interface HttpAnswer {
  readonly status: number;
  readonly reason?: string;
  /** Headers of the handler, in order of sending. `Date`, length, `Connection` and framing are the server's. */
  readonly headers: readonly Header[];
  readonly body: Buffer | string;
  readonly framing?: Framing;
  readonly trailers?: readonly Header[];
  /** `headers` are all there are, as recorded: only times and `Connection` are brought up to date. */
  readonly complete?: boolean;
  /** Leave `Date` out: the answer of a parser, not of a handler. */
  readonly bare?: boolean;
  /** Close the connection although the client did not ask for it. */
  readonly close?: boolean;
  /** No answer: reset the connection, or leave it open and silent. */
  readonly instead?: 'reset' | 'silence';
}

export type HttpHandler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** First value of a header, whatever its case. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** All values of a header, in order. */
export function headersOf(headers: readonly Header[], name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

/** Header lines from the flat list of names and values that Node gives. */
export function pairHeaders(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] as string, raw[i + 1] as string]);
  return headers;
}

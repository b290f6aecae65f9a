import type { Header, HttpAnswer, HttpRequest } from '../servers/http/message.js';
import { AnswerShelf, type Repeats } from './answer-shelf.js';
import { type QueryRow, repeated, rpcBody, rpcPath, type RpcRow } from './rows.js';

/** Request headers that do not affect the answer. */
const ignored = new Set(['host', 'connection', 'content-length', 'user-agent', 'accept-language', 'sec-fetch-mode']);

function keyOf(method: string, target: string, headers: readonly Header[], body: Uint8Array | string): string {
  const pairs = headers
    .filter(([name]) => !ignored.has(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}:${value.trim()}`);
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  return `${method} ${target}\n${pairs.sort().join('\n')}\n${text}`;
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Recorded responses of an HTTP listener, byte for byte. */
export class HttpBook {
  readonly #answers: AnswerShelf<HttpAnswer>;

  constructor(repeats: Repeats) {
    this.#answers = new AnswerShelf(repeats);
  }

  /** Adds a row of `reads` or `errors`. Cases below HTTP are left to the server. */
  addQuery({ sent, got }: QueryRow): void {
    if (got.error !== undefined || got.closed_after_s !== undefined) return;
    if (sent.version !== undefined && !/^HTTP\/1\./.test(sent.version)) return;
    const target = sent.target_is === undefined ? sent.target : repeated(sent.target_is);
    const body = sent.body_is === undefined ? (sent.body ?? '') : repeated(sent.body_is);
    const bytes = sent.body_b64 == null ? latin1(body) : Buffer.from(sent.body_b64, 'base64');
    const headers = got.headers ?? [['Content-Type', 'application/json'] as const];
    this.#put(keyOf(sent.method, target, sent.headers ?? [], bytes), {
      status: got.status,
      reason: got.reason,
      headers,
      body: got.body_b64 == null ? ((got as { body?: string | null }).body ?? '') : Buffer.from(got.body_b64, 'base64'),
      complete: got.headers !== undefined,
      ...(got.trailers == null ? {} : { trailers: got.trailers }),
      ...(closes(headers, sent.headers ?? []) ? { close: true } : {}),
    });
  }

  /** Adds a row of `rpc` or `halted`. Rows with a shortened body are left to the node. */
  addRpc(row: RpcRow): void {
    const { request, response } = row;
    if (response.cut === true) return;
    const silent = response.error?.startsWith('no answer') === true;
    if (response.error !== undefined && !silent) return;
    // The HTML page with the list of endpoints contains the Host header of the request.
    if (!silent && response.body.startsWith('<html>')) return;
    const key = keyOf(request.method, rpcPath(row), request.headers, latin1(rpcBody(row)));
    if (silent) return this.#put(key, { status: 0, headers: [], body: '', instead: 'silence' });
    const { status, headers, body } = response;
    this.#put(key, { status, reason: reasons[status] ?? '', headers, body, complete: true });
  }

  take(request: HttpRequest): HttpAnswer | undefined {
    if (request.tooLarge) return undefined;
    return this.#answers.take(keyOf(request.method, request.target, request.headers, request.body));
  }

  #put(key: string, answer: HttpAnswer): void {
    this.#answers.put(key, answer);
  }
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  404: 'Not Found',
  500: 'Internal Server Error',
};

/** Whether the node closed the connection although the client had not requested it. */
function closes(got: readonly Header[], sent: readonly Header[]): boolean {
  const says = (headers: readonly Header[]): boolean =>
    headers.some(([name, value]) => name.toLowerCase() === 'connection' && value.toLowerCase() === 'close');
  return says(got) && !says(sent);
}

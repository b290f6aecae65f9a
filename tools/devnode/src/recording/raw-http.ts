import { connect, type Socket } from 'node:net';
import type { Header } from '../servers/http/message.js';

export interface RawHttpAnswer {
  readonly proto: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly trailers: readonly Header[] | null;
}

const closedText = 'closed without an answer';

interface Waiting {
  readonly head: boolean;
  resolve(answer: RawHttpAnswer): void;
  reject(error: Error): void;
}

function headerLines(text: string): Header[] {
  return text
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });
}

/** Decodes the body of a chunked response. Returns undefined while it is incomplete. */
function dechunk(bytes: Buffer): { body: Buffer; trailers: Header[]; end: number } | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    at = line + 2;
    if (size === 0) break;
    if (bytes.length < at + size + 2) return undefined;
    parts.push(bytes.subarray(at, at + size));
    at += size + 2;
  }
  const end = bytes.indexOf('\r\n', at) === at ? at : bytes.indexOf('\r\n\r\n', at) + 2;
  if (end < at || bytes.length < end + 2) return undefined;
  return { body: Buffer.concat(parts), trailers: headerLines(bytes.toString('latin1', at, end)), end: end + 2 };
}

/** An HTTP/1 connection that sends exactly the given bytes and preserves the order and case of headers. */
export class RawHttpConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #waiting: Waiting | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request. Retries on a new connection if the open one was closed before the request arrived. */
  async send(request: string | Buffer, head: boolean, timeoutMs: number): Promise<RawHttpAnswer> {
    const reused = this.#socket !== undefined;
    try {
      return await this.#send(request, head, timeoutMs);
    } catch (error) {
      if (!reused || request.length === 0 || (error as Error).message !== closedText) throw error;
      return this.#send(request, head, timeoutMs);
    }
  }

  #send(request: string | Buffer, head: boolean, timeoutMs: number): Promise<RawHttpAnswer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new Error('no answer')), timeoutMs);
      this.#waiting = {
        head,
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#open().write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#pending = Buffer.alloc(0);
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    this.close();
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => {
      this.#pending = Buffer.concat([this.#pending, chunk]);
      this.#read(false);
    });
    socket.on('end', () => {
      this.#read(true);
      if (this.#socket === socket) this.close();
      this.#fail(new Error(closedText));
    });
    socket.on('error', (error) => this.#fail(error));
    this.#socket = socket;
    return socket;
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.close();
    waiting?.reject(error);
  }

  #read(ended: boolean): void {
    const waiting = this.#waiting;
    const headEnd = this.#pending.indexOf('\r\n\r\n');
    if (waiting === undefined || headEnd === -1) return;
    const [statusLine = '', ...lines] = this.#pending.toString('latin1', 0, headEnd).split('\r\n');
    const [, proto = '', status = '', reason = ''] = /^(\S+) (\d+) ?(.*)$/.exec(statusLine) ?? [];
    if (status === '100') {
      this.#pending = this.#pending.subarray(headEnd + 4);
      return this.#read(ended);
    }
    const headers = headerLines(lines.join('\r\n'));
    const value = (name: string): string | undefined => headers.find(([key]) => key.toLowerCase() === name)?.[1];
    const rest = this.#pending.subarray(headEnd + 4);
    const answer = (body: Buffer, trailers: Header[] | null, used: number): void => {
      this.#waiting = undefined;
      this.#pending = rest.subarray(used);
      if (value('connection') === 'close' || proto === 'HTTP/1.0') this.close();
      waiting.resolve({ proto, status: Number(status), reason, headers, body, trailers });
    };
    if (waiting.head || status === '204') return answer(Buffer.alloc(0), null, 0);
    if (value('transfer-encoding') === 'chunked') {
      const read = dechunk(rest);
      if (read !== undefined) answer(read.body, read.trailers.length === 0 ? null : read.trailers, read.end);
      return;
    }
    const length = value('content-length');
    if (length !== undefined) {
      if (rest.length >= Number(length)) answer(rest.subarray(0, Number(length)), null, Number(length));
      return;
    }
    if (ended) answer(rest, null, rest.length);
  }
}

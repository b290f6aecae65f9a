import { type ClientHttp2Session, connect } from 'node:http2';
import type { Header } from '../servers/http/message.js';
import { frame } from '../servers/grpc/frame.js';
import type { RowCheck } from './row-check.js';
import { broadcastOfZeros } from './grpc-book.js';
import { rawHttp2 } from './raw-http2.js';
import type { QueryRow } from './rows.js';

interface Received {
  /** Header blocks in order; a trailers-only response has one. */
  readonly blocks: readonly (readonly Header[])[];
  readonly data: Buffer;
  readonly reset: number | undefined;
}

const laneCount = 8;

function laneOf(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return `grpc ${hash % laneCount}`;
}

function bodyOf({ group, sent }: QueryRow): Buffer {
  if (sent.messages !== undefined)
    return Buffer.concat(sent.messages.map((message) => frame(Buffer.from(message, 'base64'))));
  if (typeof sent.message_is === 'string') return frame(broadcastOfZeros(group));
  if (sent.message_is !== undefined) {
    const { prefix, then_zero_bytes } = sent.message_is;
    return frame(Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.alloc(then_zero_bytes)]));
  }
  const message = Buffer.from(sent.message ?? '', 'base64');
  return sent.unframed === true ? message : frame(message);
}

function headersOf({ sent }: QueryRow, authority: string): Header[] {
  if (sent.headers !== undefined) return [...sent.headers];
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', sent.path],
    [':authority', authority],
    ['content-type', sent.content_type ?? 'application/grpc'],
    ['te', 'trailers'],
    ...sent.metadata,
  ];
}

function difference(name: string, want: unknown, got: unknown): string | undefined {
  const wanted = JSON.stringify(want ?? null);
  const received = JSON.stringify(got ?? null);
  return wanted === received ? undefined : `${name}: recorded ${wanted.slice(0, 300)}, got ${received.slice(0, 300)}`;
}

/** Extracts the messages from framed bytes, as base64. */
function messagesOf(data: Buffer): { messages: string[]; compressed: boolean } {
  const messages: string[] = [];
  let compressed = false;
  let at = 0;
  while (at + 5 <= data.length) {
    const length = data.readUInt32BE(at + 1);
    compressed ||= data[at] === 1;
    messages.push(data.subarray(at + 5, at + 5 + length).toString('base64'));
    at += 5 + length;
  }
  return { messages, compressed };
}

function verdict({ got, sent }: QueryRow, received: Received): string | undefined {
  if (got.code === null) return difference('reset', got.reset, received.reset);
  const trailersOnly = received.blocks.length === 1;
  const { messages, compressed } = messagesOf(received.data);
  return (
    difference('trailers only', got.trailers_only, trailersOnly) ??
    difference('initial', got.initial, trailersOnly ? null : received.blocks[0]) ??
    difference('trailers', got.trailers, received.blocks.at(-1)) ??
    difference('compressed', got.compressed ?? false, compressed) ??
    (sent.messages === undefined
      ? difference('body', got.body, messages[0] ?? null)
      : difference('messages', got.messages, messages))
  );
}

/** Sends gRPC rows over one connection. Rows that node's client cannot send get their own raw connection. */
export class GrpcWalker {
  readonly #address: string;
  readonly #session: ClientHttp2Session;

  constructor(address: string) {
    this.#address = address;
    this.#session = connect(`http://${address}`, { maxSessionMemory: 64 });
    this.#session.on('error', () => {});
  }

  check(row: QueryRow): RowCheck {
    const { sent, got } = row;
    const lane = laneOf(JSON.stringify([sent.path, sent.message, sent.metadata]));
    return {
      row: `${row.group} ${row.transport}`,
      lane,
      run: async () => {
        const headers = headersOf(row, this.#address);
        // Node's client lowercases header names and does not deliver values with leading or trailing spaces.
        const needsRaw =
          headers.some(([name]) => name !== name.toLowerCase()) ||
          [...headers, ...(got.trailers ?? [])].some(([, value]) => value !== value.trim());
        const body = bodyOf(row);
        const received = needsRaw ? await rawHttp2(this.#address, headers, body) : await this.#ask(headers, body);
        return verdict(row, received);
      },
    };
  }

  close(): void {
    this.#session.close();
  }

  #ask(headers: readonly Header[], body: Buffer): Promise<Received> {
    const sent: Record<string, string | string[]> = {};
    for (const [name, value] of headers) {
      const known = sent[name];
      sent[name] = known === undefined ? value : [known, value].flat();
    }
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(sent);
      const blocks: Header[][] = [];
      const data: Buffer[] = [];
      const take = (raw: unknown): void => {
        const list = raw as string[];
        const pairs: Header[] = [];
        for (let i = 0; i + 1 < list.length; i += 2) pairs.push([list[i] as string, list[i + 1] as string]);
        blocks.push(pairs);
      };
      stream.on('response', (...args: unknown[]) => take(args[2]));
      stream.on('trailers', (...args: unknown[]) => take(args[2]));
      stream.on('data', (chunk: Buffer) => data.push(chunk));
      stream.on('error', (error: Error) => {
        if (blocks.length === 0) reject(error);
      });
      stream.on('close', () => resolve({ blocks, data: Buffer.concat(data), reset: stream.rstCode }));
      // Without a request body, the stream ends with the headers.
      if (stream.writable) stream.end(body);
    });
  }
}

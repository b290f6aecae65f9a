import { connect, type Socket } from 'node:net';
import type { Header } from '../servers/http/message.js';
import { HpackDecoder } from './hpack.js';

export interface RawHttp2Answer {
  /** Received header blocks, in order. */
  readonly blocks: readonly (readonly Header[])[];
  readonly data: Buffer;
  /** Error code if the stream was reset. */
  readonly reset: number | undefined;
}

const frameType = { data: 0, headers: 1, rstStream: 3, settings: 4, ping: 6, goaway: 7, continuation: 9 } as const;
const flag = { ack: 1, endStream: 1, endHeaders: 4 } as const;

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes a length with a 7-bit prefix. */
function length(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  while (rest >= 128) {
    bytes.push((rest & 127) | 128);
    rest >>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([length(bytes.length), bytes]);
}

/** Encodes headers exactly as given: no table, no Huffman coding, no change of case. */
function headerBlock(headers: readonly Header[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

/** Sends one request over its own connection and waits until the stream ends. */
export function rawHttp2(address: string, headers: readonly Header[], body: Uint8Array): Promise<RawHttp2Answer> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(port), host);
    const decoder = new HpackDecoder();
    const blocks: Header[][] = [];
    const data: Buffer[] = [];
    let pending = Buffer.alloc(0);
    const finish = (reset: number | undefined): void => {
      socket.destroy();
      resolve({ blocks, data: Buffer.concat(data), reset });
    };
    socket.setTimeout(5000, () => {
      socket.destroy();
      reject(new Error('no answer within 5 s'));
    });
    socket.on('error', reject);
    socket.on('connect', () => {
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(frame(frameType.settings, 0, 0, Buffer.alloc(0)));
      socket.write(frame(frameType.headers, flag.endHeaders, 1, headerBlock(headers)));
      socket.write(frame(frameType.data, flag.endStream, 1, body));
    });
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 9) {
        const size = pending.readUIntBE(0, 3);
        if (pending.length < 9 + size) return;
        const type = pending[3] as number;
        const flags = pending[4] as number;
        const payload = pending.subarray(9, 9 + size);
        pending = pending.subarray(9 + size);
        if (type === frameType.settings && !(flags & flag.ack))
          socket.write(frame(frameType.settings, flag.ack, 0, Buffer.alloc(0)));
        if (type === frameType.headers) blocks.push(decoder.decode(payload));
        if (type === frameType.data) data.push(payload);
        if (type === frameType.rstStream) return finish(payload.readUInt32BE(0));
        if (type === frameType.goaway) return finish(payload.readUInt32BE(4));
        const ends = (type === frameType.headers || type === frameType.data) && (flags & flag.endStream) !== 0;
        if (ends) return finish(undefined);
      }
    });
  });
}

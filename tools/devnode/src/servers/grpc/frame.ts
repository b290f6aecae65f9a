import { gunzipSync } from 'node:zlib';
import { grpcCode } from './message.js';

/** Largest request message that the node accepts. */
export const maxRequestBytes = 10_485_760;

/** Prepends the five-byte gRPC prefix to a message. */
export function frame(message: Uint8Array, packed = false): Buffer {
  const framed = Buffer.allocUnsafe(5 + message.length);
  framed[0] = packed ? 1 : 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}

export interface FrameRead {
  readonly messages: Uint8Array[];
  readonly error?: { readonly code: number; readonly message: string };
}

/** Splits a stream of bytes into gRPC messages. */
export class FrameReader {
  readonly #gzip: boolean;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(gzip: boolean) {
    this.#gzip = gzip;
  }

  /** Whether no bytes of a next frame have arrived. */
  get empty(): boolean {
    return this.#size === 0;
  }

  push(chunk: Buffer): FrameRead {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Uint8Array[] = [];
    while (this.#size >= 5) {
      if ((this.#chunks[0] as Buffer).length < 5) this.#chunks = [Buffer.concat(this.#chunks)];
      const head = this.#chunks[0] as Buffer;
      const length = head.readUInt32BE(1);
      if (length > maxRequestBytes) {
        const message = `grpc: received message larger than max (${length} vs. ${maxRequestBytes})`;
        return { messages, error: { code: grpcCode.resourceExhausted, message } };
      }
      const packed = head[0] === 1;
      if (packed && !this.#gzip) {
        const message = 'grpc: compressed flag set with identity or empty encoding';
        return { messages, error: { code: grpcCode.internal, message } };
      }
      if (this.#size < 5 + length) break;
      const all = this.#chunks.length === 1 ? head : Buffer.concat(this.#chunks);
      const body = all.subarray(5, 5 + length);
      try {
        messages.push(packed ? gunzipSync(body, { maxOutputLength: maxRequestBytes }) : body);
      } catch (error) {
        const text = `grpc: failed to decompress the received message: ${(error as Error).message}`;
        return { messages, error: { code: grpcCode.internal, message: text } };
      }
      const rest = all.subarray(5 + length);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#size = rest.length;
    }
    return { messages };
  }
}

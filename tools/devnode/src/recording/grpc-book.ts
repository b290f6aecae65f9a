import { gunzipSync } from 'node:zlib';
import type { Header } from '../servers/http/message.js';
import type { GrpcAnswer, GrpcCall, GrpcStream, StreamAnswer } from '../servers/grpc/message.js';
import { AnswerShelf, type Repeats } from './answer-shelf.js';
import type { QueryRow } from './rows.js';

/** Request headers that never affect an answer of the application. */
const ignored = new Set([
  'te',
  'user-agent',
  'content-type',
  'grpc-encoding',
  'grpc-accept-encoding',
  'accept-encoding',
]);

function keyOf(path: string, metadata: readonly Header[], message: Uint8Array, without: ReadonlySet<string>): string {
  const pairs = metadata
    .filter(([name]) => !without.has(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}:${value}`);
  return `${path}\n${pairs.sort().join('\n')}\n${Buffer.from(message).toString('base64')}`;
}

const withoutTimeout = new Set([...ignored, 'grpc-timeout']);

function answerOf({ got }: QueryRow): GrpcAnswer {
  const packed = got.body === null ? undefined : Buffer.from(got.body, 'base64');
  const compressed = got.compressed === true && packed !== undefined;
  const standard = new Set([':status', 'content-type', 'grpc-encoding']);
  return {
    code: got.code ?? 0,
    message: got.message,
    metadata: (got.initial ?? []).filter(([name]) => !standard.has(name)),
    body: compressed ? gunzipSync(packed) : packed,
    trailersOnly: got.trailers_only,
    ...(compressed ? { packedBody: packed } : {}),
  };
}

/** The request message of a row, or undefined if the case is below the application layer (frames, headers, resets). */
function messageOf({ group, sent, got }: QueryRow): Uint8Array | undefined {
  if (typeof sent.message_is === 'string') return broadcastOfZeros(group);
  if (sent.message_is !== undefined || sent.unframed === true || got.code === null) return undefined;
  const type = sent.content_type ?? sent.headers?.find(([name]) => name === 'content-type')?.[1] ?? 'application/grpc';
  const post = sent.headers?.find(([name]) => name === ':method')?.[1] ?? 'POST';
  if (post !== 'POST' || !/^application\/grpc(?:$|[+;])/.test(type)) return undefined;
  return Buffer.from(sent.message ?? '', 'base64');
}

/** A broadcast request with `tx_bytes` of 1048577 zero bytes and the mode in the name of the case. */
export function broadcastOfZeros(group: string): Uint8Array {
  const zeros = Buffer.alloc(1_048_577);
  return Buffer.concat([
    Uint8Array.of(0x0a, 0x81, 0x80, 0x40),
    zeros,
    Uint8Array.of(0x10, group.endsWith('async') ? 3 : 2),
  ]);
}

/** Recorded unary answers and streams of gRPC. */
export class GrpcBook {
  readonly #unary: AnswerShelf<GrpcAnswer>;
  readonly #packed = new Map<string, Uint8Array>();
  readonly #streams: {
    readonly path: string;
    readonly sent: readonly string[];
    readonly got: readonly string[];
    readonly row: QueryRow;
  }[] = [];

  constructor(rows: readonly QueryRow[], repeats: Repeats) {
    this.#unary = new AnswerShelf(repeats);
    for (const row of rows) {
      if (row.transport !== 'grpc') continue;
      const { sent } = row;
      if (sent.messages !== undefined) {
        this.#streams.push({ path: sent.path, sent: sent.messages, got: row.got.messages ?? [], row });
        continue;
      }
      const message = messageOf(row);
      if (message === undefined) continue;
      const answer = answerOf(row);
      const key = keyOf(sent.path, sent.metadata, message, ignored);
      if (answer.packedBody !== undefined) this.#packed.set(key, answer.packedBody);
      this.#unary.put(key, answer);
    }
  }

  unary({ path, metadata, message }: GrpcCall): GrpcAnswer | undefined {
    const key = keyOf(path, metadata, message, ignored);
    const answer = this.#unary.take(key) ?? this.#unary.take(keyOf(path, metadata, message, withoutTimeout));
    const packedBody = this.#packed.get(key);
    return answer === undefined || packedBody === undefined ? answer : { ...answer, packedBody };
  }

  /** Returns a stream that replays a recorded one while the same messages are sent, then switches to `otherwise`. */
  stream(path: string, otherwise: GrpcStream): GrpcStream {
    let candidates = this.#streams.filter((stream) => stream.path === path);
    let count = 0;
    return {
      receive(message): StreamAnswer {
        const text = Buffer.from(message).toString('base64');
        const at = count++;
        candidates = candidates.filter(({ sent }) => sent[at] === text);
        const own = otherwise.receive(message);
        const [found] = candidates;
        if (found === undefined) return own;
        const body = found.got[at];
        if (body !== undefined) return { body: Buffer.from(body, 'base64') };
        return { code: found.row.got.code ?? 0, message: found.row.got.message };
      },
    };
  }
}

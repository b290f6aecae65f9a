import { constants, createGzip } from 'node:zlib';
import type { AnswerFault, ByteFault } from './fault.js';

/** A response that a proxy or a hostile node sends instead of the node's. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks of the body, produced while the client reads. */
  readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export const errorPage =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n' +
  '<body><center><h1>502 Bad Gateway</h1></center><hr><center>proxy</center></body></html>\n';

/** The response for a fault that does not contact the node; `undefined` for other faults. */
export function hostileAnswer(
  fault: Exclude<AnswerFault, ByteFault | { kind: 'wrong-length' | 'truncate' | 'replay' | 'act' }>,
): HostileAnswer {
  switch (fault.kind) {
    case 'html':
      return plain(fault.status, errorPage, { 'content-type': fault.contentType ?? 'text/html' });
    case 'too-many':
      return plain(429, 'Too Many Requests\n', {
        'content-type': 'text/plain',
        ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
      });
    case 'status':
      return plain(fault.status, 'no\n', {
        'content-type': 'text/plain',
        ...(fault.location === undefined ? {} : { location: fault.location }),
      });
    case 'answer':
      return plain(fault.status ?? 200, fault.body, { 'content-type': fault.contentType ?? 'application/json' });
    case 'gzip-bomb':
      return {
        status: 200,
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipBomb(fault.bytes),
      };
    case 'endless':
      return { status: 200, headers: { 'content-type': 'application/json' }, body: endlessJson() };
    default:
      return fault satisfies never;
  }
}

function plain(status: number, body: string | Uint8Array, headers: Record<string, string>): HostileAnswer {
  const bytes = Buffer.from(body as string);
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: [bytes] };
}

/** Zero bytes, compressed on demand. */
export async function* gzipBomb(bytes: number): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION });
  const zeros = Buffer.alloc(1 << 20);
  const feed = (left: number): void => {
    if (gzip.destroyed) return;
    if (left <= 0) gzip.end();
    else gzip.write(zeros.subarray(0, Math.min(left, zeros.length)), () => feed(left - zeros.length));
  };
  feed(bytes);
  yield* gzip as AsyncIterable<Uint8Array>;
}

function* endlessJson(): Generator<Uint8Array> {
  yield Buffer.from('{"jsonrpc":"2.0","id":1,"result":["');
  const part = Buffer.alloc(1 << 16, 'x');
  for (;;) yield part;
}

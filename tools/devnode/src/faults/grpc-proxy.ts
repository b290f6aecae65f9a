import { connect, constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { FaultPlan, StreamFault } from './fault.js';
import type { Committed, Target } from './target.js';
import { garble } from './garble.js';
import { hostileAnswer } from './hostile-answer.js';

interface NodeAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders;
}

/** Forwards gRPC calls over HTTP/2 without TLS. Each client connection has its own connection to the node. */
export function grpcProxy(target: Target, plan: FaultPlan, committed: Committed): Server {
  const server = createServer();
  server.on('session', (session) => {
    const node = connect(`http://${target.host}:${target.port}`);
    node.on('error', () => session.destroy());
    session.on('error', () => node.destroy());
    session.on('close', () => node.destroy());
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      // The client cancelled the call.
      stream.on('error', () => undefined);
      const fault = plan.stream?.(String(headers[':path']));
      if (fault !== undefined) committed(fault);
      answer(stream, headers, fault).catch(() => stream.close(constants.NGHTTP2_CONNECT_ERROR));
    });
    const answer = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, fault: StreamFault | undefined) => {
      if (fault !== undefined && (await refuse(stream, fault))) return;
      const asked = node.request(passedOn(headers));
      stream.pipe(asked);
      const given = await new Promise<NodeAnswer>((resolve, reject) => {
        const parts: Buffer[] = [];
        let head: IncomingHttpHeaders = {};
        let trailers: IncomingHttpHeaders = {};
        asked.on('response', (found: IncomingHttpHeaders) => (head = found));
        asked.on('trailers', (found: IncomingHttpHeaders) => (trailers = found));
        asked.on('data', (part: Buffer) => parts.push(part));
        asked.on('end', () => resolve({ headers: head, body: Buffer.concat(parts), trailers }));
        asked.on('error', reject);
      });
      if (!stream.destroyed) await send(stream, given, fault);
    };
  });
  return server;
}

/** Applies faults that do not contact the node. */
async function refuse(stream: ServerHttp2Stream, fault: StreamFault): Promise<boolean> {
  switch (fault.kind) {
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return false;
    case 'black-hole':
      return true;
    case 'act':
      fault.act(stream);
      return true;
    case 'cut':
      stream.session?.destroy();
      return true;
    case 'reset-stream':
      stream.close(fault.code);
      return true;
    case 'goaway':
      stream.session?.goaway(fault.code, 0, Buffer.from(fault.text));
      stream.session?.destroy();
      return true;
    case 'html':
    case 'too-many':
    case 'status': {
      const { status, headers, body } = hostileAnswer(fault);
      stream.respond({ ':status': status, ...headers });
      await pipeline(body, stream);
      return true;
    }
    default:
      return false;
  }
}

async function send(stream: ServerHttp2Stream, given: NodeAnswer, fault: StreamFault | undefined): Promise<void> {
  const trailers = Object.keys(given.trailers).length > 0;
  const packed = fault?.kind === 'gzip-bomb' ? { 'grpc-encoding': 'gzip' } : {};
  stream.respond({ ...given.headers, ...packed }, { waitForTrailers: trailers });
  stream.on('wantTrailers', () => stream.sendTrailers(given.trailers));
  if (fault?.kind === 'endless') return pipeline(endless(), stream);
  stream.end(bodyOf(given.body, fault));
}

function bodyOf(body: Buffer, fault: StreamFault | undefined): Buffer {
  switch (fault?.kind) {
    case 'garble':
      return garble(body, 5);
    case 'truncate':
      return body.subarray(0, 5 + ((body.length - 5) >> 1));
    case 'gzip-bomb':
      return framed(gzipSync(Buffer.alloc(fault.bytes)), 1);
    case 'answer':
      return framed(fault.body, 0);
    default:
      return body;
  }
}

/** Frames a message for gRPC. */
function framed(message: Uint8Array, compressed: 0 | 1): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function* endless(): Generator<Uint8Array> {
  yield Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
  const part = Buffer.alloc(1 << 16);
  for (;;) yield part;
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'host'));
}

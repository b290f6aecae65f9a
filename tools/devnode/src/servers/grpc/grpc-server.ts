// gRPC implemented directly on node:http2: a grpc-js server adds its own headers and cannot send the node's.
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Header, pairHeaders } from '../http/message.js';
import { trackSockets } from '../open-sockets.js';
import { FrameReader, frame } from './frame.js';
import { type GrpcAnswer, type GrpcHandler, type GrpcStream, grpcCode, refusal } from './message.js';
import { encodeStatusMessage } from './status-message.js';
import { timeoutError } from './timeout.js';

export interface GrpcListener {
  readonly port: number;
  close(): Promise<void>;
}

interface Opened {
  readonly stream: ServerHttp2Stream;
  readonly path: string;
  readonly metadata: readonly Header[];
  readonly contentType: string;
  readonly gzip: boolean;
}

/** Content type of the response, or undefined if the request does not have a gRPC content type. */
function answerType(contentType: string): string | undefined {
  const base = 'application/grpc';
  if (contentType === base) return base;
  if (contentType.startsWith(`${base}+`) || contentType.startsWith(`${base};`)) {
    return `${base}+${contentType.slice(base.length + 1)}`;
  }
  return undefined;
}

function status(answer: { code: number; message: string }): Record<string, string> {
  return { 'grpc-status': String(answer.code), 'grpc-message': encodeStatusMessage(answer.message) };
}

function refuse(stream: ServerHttp2Stream, httpStatus: number, type: string, answer: GrpcAnswer): void {
  // A client that has reset the stream receives nothing more.
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  stream.respond({ ':status': httpStatus, 'content-type': type, ...status(answer) }, {
    endStream: true,
    sendDate: false,
  } as object);
}

function start(opened: Opened, metadata: readonly Header[], end: () => { code: number; message: string }): void {
  const head: Record<string, string | number> = { ':status': 200, 'content-type': opened.contentType };
  if (opened.gzip) head['grpc-encoding'] = 'gzip';
  for (const [name, value] of metadata) head[name] = value;
  opened.stream.once('wantTrailers', () => opened.stream.sendTrailers(status(end())));
  opened.stream.respond(head, { waitForTrailers: true, sendDate: false } as object);
}

function sendAnswer(opened: Opened, answer: GrpcAnswer): void {
  const { stream } = opened;
  if (stream.destroyed || stream.closed) return;
  if (answer.trailersOnly) return refuse(stream, 200, opened.contentType, answer);
  start(opened, answer.metadata, () => answer);
  if (answer.body === undefined) return void stream.end();
  if (!opened.gzip) return void stream.end(frame(answer.body));
  stream.end(frame(answer.packedBody ?? gzipSync(answer.body), true));
}

function serveUnary(opened: Opened, handler: GrpcHandler): void {
  const { stream } = opened;
  const reader = new FrameReader(opened.gzip);
  let done = false;
  const fail = (code: number, message: string): void => {
    done = true;
    refuse(stream, 200, opened.contentType, refusal(code, message));
    // The node stops reading: it resets the stream with NO_ERROR if the client is still sending.
    if (!stream.readableEnded) stream.close(0);
  };
  const take = (message: Uint8Array): void => {
    done = true;
    Promise.resolve(handler.unary({ path: opened.path, metadata: opened.metadata, message })).then(
      (answer) => sendAnswer(opened, answer),
      (error: unknown) => {
        console.error('devnode: handler failed', error);
        fail(grpcCode.internal, String(error));
      },
    );
  };
  stream.on('data', (chunk: Buffer) => {
    if (done) return;
    const read = reader.push(chunk);
    if (read.error !== undefined) return fail(read.error.code, read.error.message);
    const [message] = read.messages;
    if (message !== undefined) take(message);
  });
  stream.on('end', () => {
    if (!done) fail(grpcCode.unknown, reader.empty ? 'EOF' : 'unexpected EOF');
  });
}

function serveStream(opened: Opened, session: GrpcStream): void {
  const { stream } = opened;
  const reader = new FrameReader(opened.gzip);
  let end = { code: 0, message: '' };
  let started = false;
  let ended = false;
  const begin = (): void => {
    if (!started) start(opened, [], () => end);
    started = true;
  };
  const finish = (code: number, message: string): void => {
    if (ended) return;
    ended = true;
    end = { code, message };
    if (!started) return refuse(stream, 200, opened.contentType, refusal(code, message));
    stream.end();
  };
  const isOver = (): boolean => ended;
  stream.on('data', (chunk: Buffer) => {
    if (isOver()) return;
    const read = reader.push(chunk);
    for (const message of read.messages) {
      if (isOver()) return;
      const answer = session.receive(message);
      if ('code' in answer) return finish(answer.code, answer.message);
      begin();
      stream.write(opened.gzip ? frame(gzipSync(answer.body), true) : frame(answer.body));
    }
    if (read.error !== undefined) finish(read.error.code, read.error.message);
  });
  stream.on('end', () => (reader.empty ? finish(0, '') : finish(grpcCode.unknown, 'unexpected EOF')));
}

function serve(stream: ServerHttp2Stream, raw: readonly string[], handler: GrpcHandler): void {
  stream.on('error', () => stream.destroy());
  const all = pairHeaders(raw);
  const one = (name: string): string => all.find(([key]) => key === name)?.[1] ?? '';
  const metadata = all.filter(([name]) => !name.startsWith(':'));
  const refuseEarly = (http: number, code: number, message: string): void =>
    refuse(stream, http, 'application/grpc', refusal(code, message));
  const method = one(':method');
  if (method !== 'POST') {
    const text = `Received a HEADERS frame with :method "${method}" which should be POST`;
    return refuseEarly(405, grpcCode.internal, text);
  }
  const contentType = answerType(one('content-type'));
  if (contentType === undefined) {
    return refuseEarly(415, grpcCode.invalidArgument, `invalid gRPC request content-type "${one('content-type')}"`);
  }
  const badTimeout = timeoutError(one('grpc-timeout'));
  if (badTimeout !== undefined) return refuseEarly(400, grpcCode.internal, badTimeout);
  const path = one(':path');
  const encoding = one('grpc-encoding');
  const opened: Opened = { stream, path, metadata, contentType, gzip: encoding === 'gzip' };
  if (encoding !== '' && encoding !== 'identity' && encoding !== 'gzip') {
    const text = `grpc: Decompressor is not installed for grpc-encoding "${encoding}"`;
    return refuse(stream, 200, contentType, refusal(grpcCode.unimplemented, text));
  }
  const session = handler.stream(path);
  if (session !== undefined) return serveStream(opened, session);
  serveUnary(opened, handler);
}

/** Starts a plaintext HTTP/2 listener on loopback; port 0 selects a free port. */
export async function startGrpcServer(port: number, handler: GrpcHandler): Promise<GrpcListener> {
  const server = createServer({
    maxHeaderListPairs: 4096,
    maxSessionMemory: 64,
    settings: { initialWindowSize: 1 << 20 },
  });
  const close = trackSockets(server);
  server.on('session', (session) => {
    session.on('error', () => session.destroy());
  });
  server.on('stream', (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, raw: unknown) =>
    serve(stream, raw as string[], handler),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close,
  };
}

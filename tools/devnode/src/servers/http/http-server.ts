// Server used by the REST gateway, the consensus RPC and gRPC-web. It makes node:http respond like the node's own
// server: header order and case, lengths and chunks, connection handling, and responses to requests that no parser
// accepts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { trackSockets } from '../open-sockets.js';
import { type Asked, headOf } from './answer-head.js';
import { headerOf, type HttpAnswer, type HttpHandler, type HttpRequest, pairHeaders } from './message.js';
import { badVersion, parseHead, plainText, writeRaw } from './raw-answer.js';

export interface HttpServerOptions {
  readonly port: number;
  readonly handler: HttpHandler;
  readonly maxBodyBytes: number;
  /** Current time for the `Date` header. */
  readonly nowMs: () => number;
}

export interface HttpListener {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

const maxHeaderBytes = 1_048_576;
const idleMs = 10_000;

function readBody(request: IncomingMessage, limit: number): Promise<{ body: Buffer; tooLarge: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    });
    request.on('end', () => {
      resolve({ body: Buffer.concat(chunks), tooLarge: size > limit });
    });
    request.on('error', reject);
    request.on('aborted', () => {
      reject(new Error('request aborted'));
    });
  });
}

function remoteOf(socket: Duplex): string {
  return socket instanceof Socket ? `${socket.remoteAddress}:${socket.remotePort}` : '';
}

function requestOf(request: IncomingMessage, body: Buffer, tooLarge: boolean): HttpRequest {
  const { method = 'GET', url = '/', httpVersion: version, rawHeaders, socket } = request;
  return { method, target: url, version, headers: pairHeaders(rawHeaders), body, tooLarge, remote: remoteOf(socket) };
}

function askedOf({ method, version, headers }: HttpRequest): Asked {
  return { method, version, connection: headerOf(headers, 'connection') ?? '' };
}

function bytesOf(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function send(request: HttpRequest, response: ServerResponse, socket: Socket, answer: HttpAnswer, nowMs: number): void {
  if (answer.instead === 'reset') return void socket.resetAndDestroy();
  if (answer.instead === 'silence') return;
  const body = bytesOf(answer.body);
  const { lines, framing } = headOf(answer, askedOf(request), body.length, nowMs);
  const { status, reason = '' } = answer;
  if (request.version === '1.0') return writeRaw(socket, { proto: 'HTTP/1.0', status, reason, lines, body });
  response.sendDate = false;
  response.removeHeader('connection');
  response.removeHeader('content-length');
  response.removeHeader('transfer-encoding');
  response.writeHead(status, reason, lines.flat());
  if (framing !== 'chunked') {
    response.end(body);
    if (answer.close === true) response.once('finish', () => socket.end());
    return;
  }
  response.write(body);
  if (answer.trailers !== undefined)
    response.addTrailers(answer.trailers.map(([name, value]): [string, string] => [name, value]));
  response.end();
}

/** Starts a listener on loopback; port 0 selects a free port. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpListener> {
  const { handler, maxBodyBytes, nowMs } = options;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let parsed: HttpRequest;
    try {
      const { body, tooLarge } = await readBody(request, maxBodyBytes);
      parsed = requestOf(request, body, tooLarge);
    } catch {
      // The client disconnected while sending, so there is no connection left to respond on.
      return;
    }
    send(parsed, response, request.socket, await handler(parsed), nowMs());
  };
  const failed = (socket: Duplex) => (error: unknown) => {
    console.error('devnode: handler failed', error);
    socket.destroy();
  };
  const answerPast = async (parsed: HttpRequest, socket: Duplex): Promise<void> => {
    const given = await handler(parsed);
    const body = bytesOf(given.body);
    const { lines } = headOf(
      { ...given, framing: 'length' },
      { ...askedOf(parsed), connection: '' },
      body.length,
      nowMs(),
    );
    writeRaw(socket, { proto: 'HTTP/1.1', status: given.status, reason: given.reason ?? '', lines, body });
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (request.httpVersionMajor !== 1) return plainText(socket, badVersion);
    answer(request, response).catch(failed(socket));
  };
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: idleMs, requestTimeout: 0, headersTimeout: idleMs },
    onRequest,
  );
  const close = trackSockets(server);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    answerPast(requestOf(request, Buffer.alloc(0), false), socket).catch(failed(socket));
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') response.writeContinue();
    onRequest(request, response);
  });
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex) => {
    if (error.code === 'HPE_HEADER_OVERFLOW' && socket instanceof Socket) return void socket.resetAndDestroy();
    if (error.code === 'HPE_INVALID_VERSION') return plainText(socket, badVersion);
    if ((error.code === 'HPE_INVALID_METHOD' || error.code === 'HPE_INVALID_URL') && error.rawPacket !== undefined) {
      const parsed = parseHead(error.rawPacket, remoteOf(socket));
      if (parsed !== undefined) return void answerPast(parsed, socket).catch(failed(socket));
    }
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    plainText(socket, '400 Bad Request');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port, close };
}

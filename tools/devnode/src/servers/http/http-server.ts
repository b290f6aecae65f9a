// The REST gateway, the consensus RPC and gRPC-web stand on this server. It makes node:http answer as the node's own
// server does: header order and case, lengths and chunks, connection handling, answers to what no parser accepts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { trackSockets } from '../open-sockets.js';
import type { Framing, Header, HttpAnswer, HttpHandler, HttpRequest } from './message.js';

export interface HttpServerOptions {
  readonly port: number;
  readonly handler: HttpHandler;
  readonly maxBodyBytes: number;
  /** Current time for `Date`. */
  readonly nowMs: () => number;
}

export interface HttpListener {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

const maxHeaderBytes = 1_048_576;
const idleMs = 10_000;
const badVersion = '505 HTTP Version Not Supported: unsupported protocol version';
/** Above this the node's server has begun to send before it knows the length. */
const bufferedBytes = 2048;

function pairs(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] as string, raw[i + 1] as string]);
  return headers;
}

function readBody(request: IncomingMessage, limit: number): Promise<{ body: Buffer; tooLarge: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    });
    request.on('end', () => resolve({ body: Buffer.concat(chunks), tooLarge: size > limit }));
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('request aborted')));
  });
}

function wantsClose(request: IncomingMessage): boolean {
  const connection = (request.headers.connection ?? '').toLowerCase();
  return request.httpVersion === '1.0' ? !connection.includes('keep-alive') : connection.includes('close');
}

interface Head {
  readonly lines: Header[];
  readonly framing: Framing;
}

/** Headers of a recorded answer, with the times of now and the connection that this client wants. */
function recordedHead(answer: HttpAnswer, request: IncomingMessage, nowMs: number): Head {
  const old = request.httpVersion === '1.0';
  const lines: Header[] = [];
  for (const [name, value] of answer.headers) {
    if (name === 'Date') lines.push([name, new Date(nowMs).toUTCString()]);
    else if (name === 'X-Server-Time') lines.push([name, String(Math.floor(nowMs / 1000))]);
    else if (name !== 'Connection') lines.push([name, value]);
  }
  const chunked = lines.findIndex(([name]) => name === 'Transfer-Encoding');
  const connection: Header[] = [];
  if (answer.close === true || (wantsClose(request) && !old)) connection.push(['Connection', 'close']);
  else if (old && !wantsClose(request)) connection.push(['Connection', 'keep-alive']);
  lines.splice(chunked === -1 ? lines.length : chunked, 0, ...connection);
  return { lines, framing: chunked === -1 ? 'none' : 'chunked' };
}

function headOf(answer: HttpAnswer, request: IncomingMessage, length: number, nowMs: number): Head {
  if (answer.complete === true) return recordedHead(answer, request, nowMs);
  const old = request.httpVersion === '1.0';
  let framing = answer.framing ?? 'auto';
  if (framing === 'auto') framing = length <= bufferedBytes || request.method === 'HEAD' ? 'length' : 'chunked';
  if (framing === 'chunked' && old) framing = 'none';
  const lines = [...answer.headers];
  if (!answer.bare) lines.push(['Date', new Date(nowMs).toUTCString()]);
  if (framing === 'length') lines.push(['Content-Length', String(length)]);
  if (answer.close === true || (wantsClose(request) && !old)) lines.push(['Connection', 'close']);
  else if (old && !wantsClose(request)) lines.push(['Connection', 'keep-alive']);
  if (framing === 'chunked') lines.push(['Transfer-Encoding', 'chunked']);
  return { lines, framing };
}

function plainText(socket: Socket, status: string, body = status): void {
  if (!socket.writable) return;
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`);
}

/** Writes an answer past node:http and closes: it cannot say these things itself. */
function writeRaw(
  socket: Socket,
  proto: string,
  status: number,
  reason: string,
  lines: readonly Header[],
  body: Buffer,
): void {
  if (!socket.writable) return;
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${proto} ${status} ${reason}\r\n${head}\r\n`, 'latin1');
  socket.end(body);
}

/** Request of bytes that node:http refuses for their method or path: the node takes any word and any byte. */
function parseHead(packet: Buffer, remote: string): HttpRequest | undefined {
  const [first = '', ...lines] = packet.toString('latin1').split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  const match = /^([^\s]+) (\S+) HTTP\/(1\.[01])$/.exec(first);
  if (match === null) return undefined;
  const headers = lines.map((line): Header => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const [, method = '', target = '', version = ''] = match;
  return { method, target, version, headers, body: Buffer.alloc(0), tooLarge: false, remote };
}

function send(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer, nowMs: number): void {
  const socket = request.socket;
  if (answer.instead === 'reset') return void socket.resetAndDestroy();
  if (answer.instead === 'silence') return;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  const { lines, framing } = headOf(answer, request, body.length, nowMs);
  const reason = answer.reason ?? '';
  // node:http always says HTTP/1.1 in its status line.
  if (request.httpVersion === '1.0') return writeRaw(socket, 'HTTP/1.0', answer.status, reason, lines, body);
  response.sendDate = false;
  response.removeHeader('connection');
  response.removeHeader('content-length');
  response.removeHeader('transfer-encoding');
  response.writeHead(answer.status, reason, lines.flat() as string[]);
  if (framing !== 'chunked') {
    response.end(body);
    if (answer.close === true) response.once('finish', () => socket.end());
    return;
  }
  response.write(body);
  if (answer.trailers !== undefined) response.addTrailers(answer.trailers as Header[] as [string, string][]);
  response.end();
}

/** Starts a listener on loopback; port 0 takes a free one. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpListener> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let parsed: HttpRequest;
    try {
      const { body, tooLarge } = await readBody(request, options.maxBodyBytes);
      parsed = {
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        version: request.httpVersion,
        headers: pairs(request.rawHeaders),
        body,
        tooLarge,
        remote: `${request.socket.remoteAddress}:${request.socket.remotePort}`,
      };
    } catch {
      // The client went away while it was sending: nobody is left to answer.
      return;
    }
    send(request, response, await options.handler(parsed), options.nowMs());
  };
  const answerRaw = async (parsed: HttpRequest, socket: Socket): Promise<void> => {
    const given = await options.handler(parsed);
    const body = typeof given.body === 'string' ? Buffer.from(given.body) : given.body;
    const asked = { httpVersion: parsed.version, method: parsed.method, headers: {} } as IncomingMessage;
    const { lines } = headOf({ ...given, framing: 'length' }, asked, body.length, options.nowMs());
    writeRaw(socket, 'HTTP/1.1', given.status, given.reason ?? '', lines, body);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.httpVersionMajor !== 1) return plainText(request.socket, badVersion);
    answer(request, response).catch((error: unknown) => {
      console.error('devnode: handler failed', error);
      request.socket.destroy();
    });
  };
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: idleMs, requestTimeout: 0, headersTimeout: idleMs },
    onRequest,
  );
  const close = trackSockets(server);
  server.on('connect', (request: IncomingMessage, stream: Duplex) => {
    const { method = '', url = '', httpVersion, socket } = request;
    const remote = `${socket.remoteAddress}:${socket.remotePort}`;
    const parsed = { method, target: url, version: httpVersion, headers: pairs(request.rawHeaders), remote };
    void answerRaw({ ...parsed, body: Buffer.alloc(0), tooLarge: false }, stream as Socket);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') response.writeContinue();
    onRequest(request, response);
  });
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, stream) => {
    const socket = stream as Socket;
    if (error.code === 'HPE_HEADER_OVERFLOW') return void socket.resetAndDestroy();
    if (error.code === 'HPE_INVALID_VERSION') return plainText(socket, badVersion);
    if ((error.code === 'HPE_INVALID_METHOD' || error.code === 'HPE_INVALID_URL') && error.rawPacket !== undefined) {
      const parsed = parseHead(error.rawPacket, `${socket.remoteAddress}:${socket.remotePort}`);
      if (parsed !== undefined) return void answerRaw(parsed, socket);
    }
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    plainText(socket, '400 Bad Request');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close,
  };
}

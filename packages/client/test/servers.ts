import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type IncomingHttpHeaders, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface TestServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Address of a server: by default a free port of 127.0.0.1. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

const anywhere: Place = { host: '127.0.0.1', port: 0 };

async function listen(server: Server, { host, port }: Place = anywhere): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Accepts connections on a free port of loopback and never sends any data. */
export async function startSilent(): Promise<TestServer & { readonly connections: () => number }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    // A client that aborts resets the connection.
    socket.on('error', () => undefined);
  });
  const port = await listen(server);
  return {
    port,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export type HttpHandler = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** An HTTP server on a free port of loopback. */
export async function startHttp(handle: HttpHandler, place?: Place): Promise<TestServer & { readonly url: string }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => handle(request, body, response));
  });
  const port = await listen(server, place);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface GrpcCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: Buffer;
}

export interface GrpcReply {
  readonly message?: Uint8Array;
  readonly initial?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly text?: string;
  /** HTTP status of a response that is not gRPC. */
  readonly http?: number;
  /** Bytes of the body instead of a framed message. */
  readonly body?: Uint8Array;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** A minimal gRPC server on a free port of loopback; `undefined` leaves a call without a response. */
export async function startGrpc(
  handle: (call: GrpcCall) => GrpcReply | undefined,
  place?: Place,
): Promise<TestServer & { readonly address: string }> {
  const server = createHttp2Server();
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const parts: Buffer[] = [];
    let answered = false;
    const answer = (): void => {
      const bytes = Buffer.concat(parts);
      if (answered || bytes.length < 5 || bytes.length < 5 + bytes.readUInt32BE(1)) return;
      answered = true;
      const message = bytes.subarray(5, 5 + bytes.readUInt32BE(1));
      const reply = handle({ path: headers[':path'] ?? '', headers, message });
      if (reply === undefined) return;
      if (reply.http !== undefined) {
        stream.respond({ ':status': reply.http, 'content-type': 'text/html' });
        stream.end('<html>');
        return;
      }
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', ...reply.initial },
        { waitForTrailers: true },
      );
      stream.on('wantTrailers', () =>
        stream.sendTrailers({
          'grpc-status': String(reply.status ?? 0),
          'grpc-message': percentEncode(reply.text ?? ''),
          ...reply.trailers,
        }),
      );
      if (reply.body !== undefined) stream.write(reply.body);
      if (reply.message !== undefined) {
        const frame = Buffer.alloc(5);
        frame.writeUInt32BE(reply.message.length, 1);
        stream.write(frame);
        stream.write(reply.message);
      }
      stream.end();
    };
    stream.on('data', (part: Buffer) => {
      parts.push(part);
      answer();
    });
    // A cancelled call resets its stream.
    stream.on('error', () => undefined);
  });
  const port = await listen(server, place);
  return {
    port,
    address: `127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

/** As in gRPC: encodes only bytes outside printable ASCII, and the percent sign. */
function percentEncode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte < 32 || byte > 126 || byte === 37 ? `%${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte),
    )
    .join('');
}

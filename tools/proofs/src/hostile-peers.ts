import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';

/** Sockets that a server has open at the same time. */
export interface SocketCount {
  readonly server: string;
  readonly most: number;
}

/** A peer with a server for each interface; its kind defines its behaviour. */
export interface HostilePeer {
  readonly rpc: string;
  readonly rest: string;
  readonly grpc: string;
  counts(): readonly SocketCount[];
  close(): void;
}

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;
type Stream = (stream: ServerHttp2Stream) => void;

/**
 * Behaviour of a peer, and the failure reason that the monitor must report for each interface; several if it depends on
 * the platform.
 */
export interface HostileKind {
  readonly name: string;
  /** URL scheme under which it is configured. */
  readonly scheme?: 'https';
  readonly raw?: (socket: Socket) => void;
  readonly http?: Answer;
  readonly websocket?: (socket: WebSocket) => void;
  readonly grpc?: Stream;
  readonly reasons: {
    readonly rpc: readonly string[];
    readonly rest: readonly string[];
    readonly grpc: readonly string[];
  };
  /** Failure reason for the websocket, if the peer opens one. */
  readonly listening?: readonly string[];
}

const all = (...reasons: string[]): HostileKind['reasons'] => ({ rpc: reasons, rest: reasons, grpc: reasons });
const byHttp = (http: string, grpc: string): HostileKind['reasons'] => ({ rpc: [http], rest: [http], grpc: [grpc] });

const part = Buffer.alloc(1 << 16, ' ');

/** Writes endlessly, as fast as the reader reads. Writes one chunk per turn, because the peers share a process. */
function endless(stream: NodeJS.WritableStream & { readonly destroyed?: boolean }, bytes: Buffer = part): void {
  const more = (): void => {
    if (stream.destroyed === true) return;
    // A write to a stream whose connection broke in this turn succeeds, so a loop would not terminate.
    if (stream.write(bytes)) setImmediate(more);
    else stream.once('drain', more);
  };
  more();
}

function status(stream: ServerHttp2Stream, code: string, text: string, body?: Uint8Array): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': code, 'grpc-message': text }));
  stream.end(body);
}

function framed(message: Uint8Array, flag: 0 | 1 = 0, length = message.length): Buffer {
  const head = Buffer.from([flag, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

const json = (text: string): Answer => {
  return (_request, body, response) => {
    const id = /"id":(\d+)/.exec(body)?.[1] ?? '1';
    response.end(text.replaceAll('$ID', id));
  };
};
const page =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, _body, response) =>
    response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<html>proxy</html>');
const ofPage =
  (code: number): Stream =>
  (stream) => {
    stream.respond({ ':status': code, 'content-type': 'text/html' });
    stream.end('<html>');
  };

const statusWith = (height: string, time = '2026-11-28T12:00:00Z'): string =>
  `{"jsonrpc":"2.0","id":$ID,"result":{"node_info":{"id":"a","network":"hub-2","version":"0","moniker":"m","listen_addr":"x","other":{"tx_index":"on"}},"sync_info":{"latest_block_hash":"","latest_app_hash":"","latest_block_height":${height},"latest_block_time":"${time}","earliest_block_hash":"","earliest_app_hash":"","earliest_block_height":"1","earliest_block_time":"2026-11-28T12:00:00Z","catching_up":false},"validator_info":{"address":"","pub_key":{"type":"tendermint/PubKeyEd25519","value":""},"voting_power":"0"}},"params":{"status_timeout":${height}}}`;
const decodes = { rpc: ['decode'], rest: ['decode'], grpc: ['decode'] };
const invalid: Stream = (stream) => status(stream, '0', '', framed(Buffer.from([0xff, 0xff, 0xff, 0xff])));

const bomb = gzipSync(Buffer.alloc(64 << 20, ' '));

/** Every kind causes a different type of harm. */
export const hostileKinds: readonly HostileKind[] = [
  { name: 'silent', raw: () => undefined, reasons: all('timeout') },
  { name: 'reset', raw: (socket) => void socket.resetAndDestroy(), reasons: all('refused') },
  {
    name: 'closes at once',
    raw: (socket) => void socket.end(),
    reasons: all('refused'),
  },
  { name: 'no HTTP', raw: (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'), reasons: all('http') },
  { name: 'no TLS', scheme: 'https', raw: (socket) => void socket.write('\x15\x03\x01garbage'), reasons: all('tls') },
  { name: 'TLS without an end', scheme: 'https', raw: () => undefined, reasons: all('timeout') },
  {
    name: 'endless answer',
    http: (_request, _body, response) => {
      response.write('{"result":"');
      endless(response);
    },
    grpc: (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      endless(stream, framed(part, 0, 1 << 20));
    },
    reasons: { rpc: ['limit'], rest: ['limit'], grpc: ['limit', 'grpc'] },
  },
  {
    name: 'gzip bomb',
    http: (_request, _body, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync('{"result":"').subarray(0, 0));
      response.end(bomb);
    },
    grpc: (stream) => {
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' },
        { waitForTrailers: true },
      );
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(framed(bomb, 1));
    },
    reasons: all('limit'),
  },
  {
    name: 'announces 4 GiB',
    http: (_request, _body, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 32 - 1) });
      response.write('{');
      endless(response);
    },
    grpc: (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(framed(Buffer.alloc(10), 0, 2 ** 32 - 1));
    },
    reasons: all('limit'),
  },
  {
    name: 'drip',
    http: (_request, _body, response) => {
      response.write('{');
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
    },
    grpc: (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(framed(Buffer.alloc(0), 0, 1_000));
      const timer = setInterval(() => stream.write('\0'), 100);
      stream.on('close', () => clearInterval(timer));
    },
    reasons: all('timeout'),
  },
  { name: 'HTML with 200', http: page(200), grpc: ofPage(200), reasons: all('http') },
  { name: 'HTML with 502', http: page(502), grpc: ofPage(502), reasons: all('refused') },
  { name: 'redirect', http: page(301, { location: 'http://127.0.0.1:1/' }), grpc: ofPage(301), reasons: all('http') },
  {
    name: '429 for three years',
    http: page(429, { 'retry-after': '99999999' }),
    grpc: ofPage(429),
    reasons: all('limit'),
  },
  {
    name: 'endless HTML',
    http: (_request, _body, response) => {
      response.write('<html>');
      endless(response);
    },
    grpc: ofPage(404),
    reasons: all('http'),
  },
  {
    name: 'header flood',
    raw: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      endless(socket, Buffer.from(`x-flood: ${'x'.repeat(4_000)}\r\n`));
    },
    reasons: { rpc: ['limit'], rest: ['limit'], grpc: ['http'] },
  },
  {
    name: 'invalid UTF-8',
    http: (_request, _body, response) => response.end(Buffer.from('{"a":"\xc3\x28"}', 'latin1')),
    grpc: invalid,
    reasons: decodes,
  },
  {
    name: 'NaN',
    http: (request, _body, response) => response.end(request.method === 'GET' ? '{"params":NaN}' : 'NaN'),
    grpc: (stream) => status(stream, '2', 'x'.repeat(50)),
    reasons: { rpc: ['http'], rest: ['decode'], grpc: ['grpc'] },
  },
  {
    name: 'wrong types',
    http: json('{"jsonrpc":"2.0","id":$ID,"result":[7],"params":[]}'),
    grpc: invalid,
    reasons: decodes,
  },
  { name: 'height 2^64', http: json(statusWith('"18446744073709551616"')), grpc: invalid, reasons: decodes },
  { name: 'height -1', http: json(statusWith('"-1"')), grpc: invalid, reasons: decodes },
  {
    name: 'deep nesting',
    http: (_request, _body, response) => response.end(`{"jsonrpc":"2.0","result":${'['.repeat(60_000)}`),
    grpc: (stream) => status(stream, '0', '', framed(Buffer.alloc(2), 0, 500)),
    reasons: { rpc: ['http'], rest: ['decode'], grpc: ['refused'] },
  },
  {
    name: 'cut answer',
    http: (_request, _body, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{');
      setImmediate(() => response.destroy());
    },
    grpc: (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(framed(Buffer.alloc(1), 0, 500));
      setImmediate(() => stream.session?.destroy());
    },
    reasons: all('refused'),
  },
  {
    name: 'GOAWAY loop and a websocket flood',
    http: page(503),
    websocket: (socket) => {
      const frame = JSON.stringify({ jsonrpc: '2.0', id: 99, result: { data: { value: 'x'.repeat(2_000) } } });
      const more = (): void => {
        if (socket.readyState !== socket.OPEN) return;
        for (let sent = 0; sent < 50; sent++) socket.send(frame);
        socket.send(frame, (error) => error ?? setImmediate(more));
      };
      more();
    },
    grpc: (stream) => {
      const { session } = stream;
      // If the session stayed open, the server would keep sockets whose other end is closed.
      stream.on('close', () => session?.destroy());
      session?.goaway(0, 0);
      stream.close(7);
    },
    reasons: byHttp('refused', 'refused'),
    listening: ['limit'],
  },
];

/** Runs a function after a delay and after the events that have arrived by then. */
function later(afterMs: number, run: () => void): void {
  setTimeout(() => setImmediate(run), afterMs).unref();
}

interface Counted {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  most: number;
  mostWebsockets: number;
}

/** Starts a peer. Every interface has its own server, so that sockets are counted by interface. */
export async function startHostilePeer(kind: HostileKind): Promise<HostilePeer> {
  const servers = new Map<string, Counted>();
  /** Sockets on which a websocket was requested. */
  const upgraded = new WeakSet<Socket>();
  const start = async (name: string, server: Server): Promise<number> => {
    const entry: Counted = { server, sockets: new Set(), most: 0, mostWebsockets: 0 };
    servers.set(name, entry);
    server.on('connection', (socket: Socket) => {
      entry.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => entry.sockets.delete(socket));
      if (kind.raw !== undefined) {
        socket.once('data', (asked: Buffer) => {
          const text = asked.toString('latin1');
          // Inside TLS the request is not visible, but the handshake of requests names their protocol and that of `ws`
          // does not.
          const isWebsocket = kind.scheme === 'https' ? !text.includes('http/1.1') : /^upgrade: websocket/im.test(text);
          if (isWebsocket) upgraded.add(socket);
        });
        socket.resume();
        kind.raw(socket);
      }
      // The close of an older socket from another process can arrive after the next one opens. Only sockets that are
      // open together for three seconds are counted. Sockets that no client releases stay open for ten seconds.
      later(1_000, () => {
        const together = [...entry.sockets];
        later(3_000, () => {
          const left = together.filter((each) => entry.sockets.has(each));
          const websockets = left.filter((each) => upgraded.has(each)).length;
          entry.most = Math.max(entry.most, left.length - websockets);
          entry.mostWebsockets = Math.max(entry.mostWebsockets, websockets);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const http = (): Server => {
    if (kind.raw !== undefined) return createTcp();
    const server = createHttp((request, response) => {
      if (request.headers.upgrade === 'websocket') upgraded.add(request.socket);
      let body = '';
      response.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => kind.http?.(request, body, response));
    });
    if (kind.websocket !== undefined) {
      const sockets = new WebSocketServer({ server });
      sockets.on('connection', (socket, request) => {
        upgraded.add(request.socket);
        socket.on('error', () => undefined);
        kind.websocket?.(socket);
      });
    }
    return server;
  };
  const grpc = (): Server => {
    if (kind.raw !== undefined) return createTcp();
    const server = createHttp2();
    server.on('session', (session) => session.on('error', () => undefined));
    server.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.resume();
      kind.grpc?.(stream);
    });
    return server;
  };
  const scheme = kind.scheme ?? 'http';
  const address = async (name: string, server: Server): Promise<string> =>
    `${scheme}://127.0.0.1:${await start(name, server)}`;
  return {
    rpc: await address('rpc', http()),
    rest: await address('rest', http()),
    grpc: (await address('grpc', grpc())).replace('http://', ''),
    counts: () =>
      [...servers].flatMap(([server, { most, mostWebsockets }]) => [
        { server, most },
        ...(server === 'rpc' ? [{ server: 'websocket', most: mostWebsockets }] : []),
      ]),
    close: () => {
      for (const { server, sockets } of servers.values()) {
        server.close();
        for (const socket of sockets) socket.destroy();
      }
    },
  };
}

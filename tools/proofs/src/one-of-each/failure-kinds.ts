import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { RandomSource } from '../random-source.js';

/** Transport of a query. */
export type AskedOver = 'rest' | 'abci' | 'grpc';

/** One concrete failure. */
export type Failing =
  /** Fails one request; all others are answered. */
  | { readonly http: (response: ServerResponse, body: string) => void }
  | { readonly grpc: (stream: ServerHttp2Stream) => void }
  /** Fails every connection. */
  | { readonly socket: (socket: Socket) => void; readonly scheme?: 'https' }
  /** A server with an untrusted certificate. */
  | { readonly untrusted: true }
  /** Nothing listens at this host. */
  | { readonly host: string };

/** Failures of one kind. */
export interface FailureKind {
  readonly name: string;
  readonly over: readonly AskedOver[];
  make(random: RandomSource, over: AskedOver): Failing;
}

const every = ['rest', 'abci', 'grpc'] as const;
const http = ['rest', 'abci'] as const;
const grpc = ['grpc'] as const;

const texts = [
  '',
  'no',
  'codespace sdk code 18: invalid request',
  'upstream connect error or disconnect/reset before headers',
  'account sequence mismatch, expected 7, got 6: incorrect account sequence',
  'insufficient funds',
  'unknown service hub.node.v9.QueryService',
  'node is syncing',
  'collections: not found',
  'height 5 must be less than or equal to the current blockchain height 4',
  'rpc error: code = Unavailable desc = transport is closing',
  'tx already exists in cache',
  '  blanks at both ends  ',
  '\u202etext that turns around\u0007',
];
const html = '<html><head><title>502 Bad Gateway</title></head><body>proxy</body></html>';
const statuses = [
  400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 414, 421, 425, 429, 431, 451, 500, 501, 502, 503,
];
const laterStatuses = [504, 505, 507, 508, 511, 520, 521, 522, 523, 524, 530, 599];
const redirects = [300, 301, 302, 303, 307, 308];
/** All gRPC codes except 0, which is not a failure, plus one unknown code. */
const grpcCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];

const words = (random: RandomSource, most: number): string => 'x'.repeat(random.below(most));

/** Writes raw bytes instead of a response, then ends or resets the connection or leaves it open. */
const raw =
  (head: string | Buffer, then: 'end' | 'reset' | 'open') =>
  (response: ServerResponse): void => {
    const { socket } = response;
    if (socket === null) return;
    const done = (): void => {
      if (then === 'end') socket.end();
      if (then === 'reset') socket.resetAndDestroy();
    };
    socket.write(head, done);
  };

const respond =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

/** A response to a JSON-RPC request, with its id. */
const rpcAnswer =
  (status: number, answer: object) =>
  (response: ServerResponse, body: string): void => {
    const { id } = JSON.parse(body) as { id: unknown };
    respond(status, JSON.stringify({ jsonrpc: '2.0', id, ...answer }))(response);
  };

const framed = (message: Uint8Array, flag = 0, length = message.length): Buffer => {
  const head = Buffer.from([flag, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
};

const ended = (stream: ServerHttp2Stream, trailers: Readonly<Record<string, string>>, body?: Buffer): void => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
};

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Invalid HTTP response heads. */
const brokenHeads = (random: RandomSource): string =>
  random.pick([
    'HTTP/9.9 200 OK\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTP/1.1 200 OK\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n',
    `${ok}content-length: -5\r\n\r\n{}`,
    `${ok}content-length: 5\r\ncontent-length: 6\r\n\r\n{}`,
    `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}`,
    `${ok}transfer-encoding: chunked\r\n\r\n-1\r\n{}`,
    `${ok}bad header: x\r\n\r\n`,
    `${ok}x: a\x00b\r\n\r\n`,
    `${ok}: no name\r\n\r\n`,
    `${ok}no colon\r\n\r\n`,
    'HTTP/1.1 200 OK\n\nx\n',
  ]);

const bodies = (random: RandomSource): string | Buffer =>
  random.pick<string | Buffer>([
    '',
    ' ',
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    '{"',
    'NaN',
    html,
    `{"node":${'['.repeat(5_000)}`,
    '{"node":[]}',
    '{"node":{"address":7}}',
    '{"node":{"status":"9999999999999999999999","address":"x"}}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"result":[]}',
    '{"jsonrpc":"2.0","id":1,"result":null,"error":null}',
    '{"jsonrpc":"2.0","id":-77,"result":{}}',
    Buffer.from('{"a":"\xc3\x28"}', 'latin1'),
    Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  ]);

/** All kinds of failures, with and without a peer. */
export const failureKinds: readonly FailureKind[] = [
  {
    name: 'HTTP status',
    over: http,
    make(random) {
      const status = random.pick([...statuses, ...laterStatuses]);
      const body = random.pick(['', html, 'no', '{"error":"no"}', '{}', '[]']);
      const after = random.pick([undefined, '1', '0', '-4', '99999999', 'Wed, 21 Oct 2026 07:28:00 GMT', 'soon']);
      const type = random.pick(['text/html', 'text/plain', 'application/json']);
      return { http: respond(status, body, { 'content-type': type, ...(after && { 'retry-after': after }) }) };
    },
  },
  {
    name: 'redirect',
    over: http,
    make: (random) => ({
      http: respond(random.pick(redirects), '', { location: random.pick(['/', 'http://127.0.0.1:1/', '::', '//x']) }),
    }),
  },
  {
    name: 'error of the gateway',
    over: ['rest'],
    make(random) {
      const code = random.pick(grpcCodes);
      const status = random.pick([200, 400, 404, 429, 500, 501, 503]);
      const body = { code, message: random.pick(texts), details: random.pick([[], null, [{}], undefined]) };
      return { http: respond(status, JSON.stringify(body)) };
    },
  },
  {
    name: 'error of JSON-RPC',
    over: ['abci'],
    make: (random) => ({
      http: rpcAnswer(random.pick([200, 500]), {
        error: {
          code: random.pick([-32_700, -32_600, -32_601, -32_602, -32_603, -32_000, 0, 7]),
          message: random.pick(['Internal error', 'Server error', '']),
          data: random.pick(texts),
        },
      }),
    }),
  },
  {
    name: 'refusal of the application',
    over: ['abci'],
    make: (random) => ({
      http: rpcAnswer(200, {
        result: {
          response: {
            code: 1 + random.below(45),
            codespace: random.pick(['sdk', 'undefined', 'app', '']),
            log: random.pick(texts),
            height: '0',
          },
        },
      }),
    }),
  },
  {
    name: 'head that is no HTTP',
    over: http,
    make: (random) => ({ http: raw(brokenHeads(random), random.pick(['end', 'open', 'reset'] as const)) }),
  },
  {
    name: 'header overflow',
    over: http,
    make: (random) => ({
      http: raw(
        random.chance(0.5)
          ? `${ok}x: ${'y'.repeat(20_000 + random.below(80_000))}\r\n\r\n{}`
          : `${ok}${`x-${words(random, 9)}: ${'y'.repeat(200)}\r\n`.repeat(100 + random.below(400))}\r\n{}`,
        'open',
      ),
    }),
  },
  {
    name: 'end of the connection',
    over: http,
    make(random) {
      const sent = random.pick([
        '',
        'HTTP/1.1 200',
        ok,
        `${ok}content-length: 500\r\n\r\n`,
        `${ok}content-length: 500\r\n\r\n{"`,
      ]);
      return { http: raw(sent, random.pick(['end', 'reset'] as const)) };
    },
  },
  {
    name: 'packed body that does not unpack',
    over: http,
    make(random) {
      const whole = gzipSync(JSON.stringify({ node: words(random, 4_000) }));
      const encoding = random.pick(['gzip', 'deflate', 'br', 'zstd', 'x-unknown']);
      const body = random.pick<Buffer>([
        whole.subarray(0, 12),
        Buffer.from('no'),
        brotliCompressSync(whole).subarray(1),
      ]);
      return { http: respond(200, body, { 'content-encoding': encoding }) };
    },
  },
  {
    name: 'body of another kind',
    over: http,
    make: (random) => ({
      http: respond(random.pick([200, 200, 201, 206]), bodies(random), {
        'content-type': random.pick(['application/json', 'text/html', 'text/plain', '']),
      }),
    }),
  },
  { name: 'no content', over: http, make: (random) => ({ http: respond(random.pick([204, 304]), '') }) },
  { name: 'no answer', over: http, make: () => ({ http: () => undefined }) },
  {
    name: 'status of gRPC',
    over: grpc,
    make(random) {
      const trailers = {
        'grpc-status': String(random.pick(grpcCodes)),
        'grpc-message': encodeURIComponent(random.pick(texts)),
      };
      const asHeaders = random.chance(0.5);
      return {
        grpc: (stream) => {
          if (!asHeaders) return ended(stream, trailers);
          stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...trailers });
          stream.end();
        },
      };
    },
  },
  {
    name: 'HTTP status on a gRPC port',
    over: grpc,
    make(random) {
      const status = random.pick([200, ...redirects, ...statuses, ...laterStatuses]);
      const type = random.pick(['text/html', 'application/json', 'application/grpc']);
      return {
        grpc: (stream) => {
          stream.respond({ ':status': status, 'content-type': type });
          stream.end(html);
        },
      };
    },
  },
  {
    name: 'reset of a stream',
    over: grpc,
    make(random) {
      // The client retries 7 and 8 itself and gets them again.
      const code = random.below(15);
      const answersFirst = random.chance(0.3);
      return {
        grpc: (stream) => {
          if (answersFirst) stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
          stream.close(code);
        },
      };
    },
  },
  {
    name: 'end of an HTTP/2 connection',
    over: grpc,
    make(random) {
      const code = random.pick([0, 1, 2, 7, 11, 12]);
      const isGentle = random.chance(0.5);
      return {
        grpc: ({ session }) => {
          if (isGentle) session?.goaway(code, 0);
          session?.destroy();
        },
      };
    },
  },
  {
    name: 'broken message',
    over: grpc,
    make(random) {
      const body = random.pick<Buffer>([
        framed(Buffer.from([0xff, 0xff, 0xff, 0xff])),
        framed(Buffer.alloc(3), 0, 500),
        Buffer.alloc(3),
        Buffer.alloc(0),
        framed(Buffer.alloc(4), 1),
        framed(gzipSync('x'), 1),
        framed(Buffer.alloc(2), 7),
        Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]),
        framed(Buffer.from([0x0a, 0x7f, 0x00])),
      ]);
      const trailers = random.pick<Record<string, string>>([{ 'grpc-status': '0' }, {}, { 'grpc-status': 'x' }]);
      return { grpc: (stream) => ended(stream, trailers, body) };
    },
  },
  { name: 'no answer to a stream', over: grpc, make: () => ({ grpc: () => undefined }) },
  {
    name: 'connection that ends at once',
    over: every,
    make: (random) =>
      random.chance(0.5)
        ? { socket: (socket) => void socket.resetAndDestroy() }
        : { socket: (socket) => void socket.end() },
  },
  {
    name: 'another protocol',
    over: every,
    make(random) {
      const banner = random.pick([
        'SSH-2.0-OpenSSH_9.2\r\n',
        '220 mail ESMTP\r\n',
        '\x00\x01\x02\x03\x04\x05\x06\x07\x08',
      ]);
      return { socket: (socket) => void socket.write(banner) };
    },
  },
  {
    name: 'no TLS',
    over: every,
    make(random) {
      const banner = random.pick(['HTTP/1.1 400 Bad Request\r\n\r\n', '\x15\x03\x01\x00\x02\x02\x28', 'garbage']);
      return { scheme: 'https', socket: (socket) => void socket.write(banner) };
    },
  },
  { name: 'certificate that nobody vouches for', over: every, make: () => ({ untrusted: true }) },
  {
    name: 'nobody there',
    over: every,
    // A name with two addresses gives an AggregateError; a name without addresses a DNS error.
    make: (random) => ({ host: random.pick(['127.0.0.1', 'localhost', '[::1]', 'no-such-host.invalid', '127.0.0.2']) }),
  },
];

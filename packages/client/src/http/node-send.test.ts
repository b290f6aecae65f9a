import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { getThing } from '../../test/methods.js';
import { type HttpHandler, startHttp } from '../../test/servers.js';
import { HubError } from '../error.js';
import { publicNaming as naming } from '../naming/public.js';
import { createRestTransport } from '../rest/transport.js';
import { createRpcClient } from '../rpc/transport.js';
import { holdConnection } from './hold-connection.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const maxBytes = 65_536;

/** The id in the response of an address, or the code of the failure. */
async function askedOf(address: string): Promise<string> {
  const rest = createRestTransport({ address, naming, maxBytes, timeoutMs: 20_000 });
  return rest.call(getThing, { id: 1n }).then(
    ({ message }) => `thing ${message.id}`,
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );
}

async function askedOver(handle: HttpHandler): Promise<string> {
  const server = await startHttp(handle);
  open.push(server);
  return askedOf(server.url);
}

/** A server that answers every request with these bytes. */
async function startRaw(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const thing = '{"id":"7"}';

test.each([
  ['gzip', gzipSync(thing)],
  ['X-GZIP', gzipSync(thing)],
  ['deflate', deflateSync(thing)],
  ['deflate', deflateRawSync(thing)],
  ['br', brotliCompressSync(thing)],
  ['gzip, br', brotliCompressSync(gzipSync(thing))],
  ['identity', Buffer.from(thing)],
  // Truncated after the complete text: browsers accept it too.
  ['gzip', gzipSync(thing).subarray(0, -4)],
  // Several gzip members, which form one body.
  ['gzip', Buffer.concat([gzipSync('{"id":'), gzipSync('"7"}')])],
])('a body with encoding %s: decompressed', async (encoding, packed) => {
  const asked = askedOver((_request, _body, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    for (let at = 0; at < packed.length; at += 3) response.write(packed.subarray(at, at + 3));
    response.end();
  });
  expect(await asked).toBe('thing 7');
});

const spaces = Buffer.alloc(8 << 20, ' ');
test.each([
  ['gzip', gzipSync(spaces)],
  ['deflate', deflateSync(spaces)],
  ['deflate', deflateRawSync(spaces)],
  ['br', brotliCompressSync(spaces)],
  ['gzip, gzip', gzipSync(gzipSync(spaces))],
])('a body that decompresses to more than the limit, %s: aborted', async (encoding, packed) => {
  let isLeft = false;
  const asked = await askedOver((request, _body, response) => {
    request.socket.once('close', () => (isLeft = true));
    // It does not end: the client must not wait for the data over the limit.
    response.writeHead(200, { 'content-encoding': encoding }).write(packed);
  });
  expect(asked).toBe('limit');
  await expect.poll(() => isLeft).toBe(true);
});

test.each([
  ['gzip', Buffer.from(thing), 'decode'],
  ['deflate', Buffer.from('\xff\xff\xff', 'latin1'), 'decode'],
  ['br', Buffer.from('\xff\xff\xff', 'latin1'), 'decode'],
  ['gzip', gzipSync(thing).fill(0xaa, 12, 16), 'decode'],
  // Unknown encodings are not decoded, so the body is not text.
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'decode'],
  ['constructor', Buffer.from('x'), 'http'],
  ['gzip,'.repeat(900), gzipSync(thing), 'decode'],
])('a body that does not match its encoding %.20s', async (encoding, body, code) => {
  const asked = askedOver((_request, _body, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(body);
  });
  expect(await asked).toBe(code);
});

test.each([
  ['a broken length of a part', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n', 'http'],
  ['bytes behind the answer', `HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${thing}garbage`, 'thing 7'],
  ['two answers', `HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${thing}`.repeat(2), 'thing 7'],
  [
    'a protocol that nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'unavailable',
  ],
  [
    'a hint first',
    `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${thing}`,
    'thing 7',
  ],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n', 'http'],
  ['a header without an end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`, 'limit'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'http'],
])('a response with %s', async (_, bytes, outcome) => {
  expect(await askedOf(await startRaw((socket) => void socket.write(bytes)))).toBe(outcome);
});

test('a response that ends with its connection: read', async () => {
  const address = await startRaw((socket) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${thing}`));
  expect(await askedOf(address)).toBe('thing 7');
});

test('a redirect: not followed', async () => {
  let followed = 0;
  const other = await startHttp((_request, _body, response) => {
    followed++;
    response.end(thing);
  });
  open.push(other);
  expect(await askedOver((_request, _body, response) => response.writeHead(302, { location: other.url }).end())).toBe(
    'http',
  );
  expect(followed).toBe(0);
});

/** Responds, and counts the concurrently open sockets. */
async function startCounted(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const sockets = new Set<Socket>();
  const count = { most: 0, all: 0 };
  const server = await startHttp((request, _body, response) => {
    if (!sockets.has(request.socket)) {
      count.all++;
      sockets.add(request.socket);
      request.socket.once('close', () => sockets.delete(request.socket));
      count.most = Math.max(count.most, sockets.size);
    }
    answer(request, response);
  });
  open.push(server);
  return { ...server, count, sockets };
}

test('fifty concurrent calls: two sockets carry them all, and are kept open', async () => {
  const { url, count, sockets } = await startCounted((_request, response) => void response.end(thing));
  expect(new Set(await Promise.all(Array.from({ length: 50 }, () => askedOf(url))))).toEqual(new Set(['thing 7']));
  expect(await askedOf(url)).toBe('thing 7');
  expect(count).toEqual({ most: 2, all: 2 });
  expect(sockets.size).toBe(2);
});

test('both kept connections end when one is reused: a read is retried on a new connection', async () => {
  const used = new WeakSet<Socket>();
  const { url, count } = await startCounted(({ socket }, response) => {
    if (used.has(socket)) return void socket.destroy();
    used.add(socket);
    response.end(thing);
  });
  await Promise.all([askedOf(url), askedOf(url)]);
  expect(count.all).toBe(2);
  expect(await askedOf(url)).toBe('thing 7');
  expect(count.all).toBe(3);
});

test('holdConnection: idle sockets are closed to make room for the socket of the caller', async () => {
  const { port, url, sockets } = await startCounted((_request, response) => void response.end(thing));
  await Promise.all([askedOf(url), askedOf(url)]);
  expect(sockets.size).toBe(2);
  const held = [1, 2].map(() => holdConnection(url, new AbortController().signal));
  const [free, freeOther] = (await Promise.all(held)) as [() => void, () => void];
  await expect.poll(() => sockets.size).toBe(0);
  const own = connect(port, '127.0.0.1');
  // Both sockets are in use, so a call waits until its timeout.
  const rest = createRestTransport({ address: url, naming });
  await expect(rest.call(getThing, { id: 1n }, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
  const waiting = rest.call(getThing, { id: 1n });
  own.destroy();
  free();
  expect((await waiting).message.id).toBe(7n);
  freeOther();
});

test('a caller that aborts while it waits for a socket: the next in the queue gets it', async () => {
  const answers: (() => void)[] = [];
  const { url } = await startCounted((_request, response) => answers.push(() => response.end(thing)));
  const first = [askedOf(url), askedOf(url)];
  await expect.poll(() => answers.length).toBe(2);
  const rest = createRestTransport({ address: url, naming });
  const giving = new AbortController();
  const left = rest.call(getThing, { id: 1n }, { signal: giving.signal });
  const last = askedOf(url);
  giving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  answers.shift()?.();
  await expect.poll(() => answers.length).toBe(2);
  for (const answer of answers.splice(0)) answer();
  expect(await Promise.all([...first, last])).toEqual(['thing 7', 'thing 7', 'thing 7']);
});

test('headers: those of the caller take precedence, the height has its wire name, and compression is requested', async () => {
  const seen: IncomingMessage['headers'][] = [];
  const server = await startHttp(({ headers }, body, response) => {
    seen.push(headers);
    const { id } = JSON.parse(body) as { id: number };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  });
  open.push(server);
  const at = { address: server.url, naming };
  await createRpcClient(at).call('health');
  await createRpcClient({ ...at, headers: { 'User-Agent': 'mine', authorization: 'Basic x' } }).call('health');
  expect(seen).toEqual([
    expect.objectContaining({ 'accept-encoding': 'gzip, deflate, br', 'content-type': 'application/json' }),
    expect.objectContaining({ 'user-agent': 'mine', authorization: 'Basic x', connection: 'keep-alive' }),
  ]);
  expect(Number(seen[0]?.['content-length'])).toBeGreaterThan(10);
});

test.each([['x\r\ny: z'], ['\u0100']])(
  'a header that cannot be sent, %j: fails with unavailable, and the socket is released',
  async (value) => {
    const { url } = await startCounted((_request, response) => void response.end(thing));
    const wrong = createRestTransport({ address: url, naming, headers: { x: value } });
    for (let call = 0; call < 3; call++) {
      await expect(wrong.call(getThing, { id: 1n })).rejects.toBeInstanceOf(HubError);
    }
    expect(await askedOf(url)).toBe('thing 7');
  },
);

/** Output of a program that makes a call in a separate process and then exits. */
async function programOf(url: string, before: string): Promise<string[]> {
  const program = `
    import { publicNaming as naming } from '@hubwatch/client';
    import { createRestTransport } from '@hubwatch/client/rest';
    import { createRpcClient } from '@hubwatch/client/rpc';
    import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
    ${before}
    // From Node 22 on the import alone loads it, for the WebSocket among the exports.
    await import('node:http');
    const loaded = () => process.moduleLoadList.filter((name) => /undici/.test(name)).length;
    const before = loaded();
    const code = (call) => call.then(() => 'answered', (error) => error.code + ': ' + error.message);
    const at = { address: ${JSON.stringify(url)}, naming };
    console.log(await code(createRestTransport(at).call(queryParams, {})));
    console.log(await code(createRpcClient(at).call('health')));
    console.log(loaded() - before, 'more loaded');`;
  const args = ['-C', '@hubwatch/source', '--import', 'tsx', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 60_000 });
  return stdout.trimEnd().split('\n');
}

test('a Node program: calls over REST and RPC do not load the platform fetch, and the process exits', async () => {
  const { url } = await startCounted((_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"result":{}}'));
  expect(await programOf(url, '')).toEqual(['answered', 'answered', '0 more loaded']);
});

test('a process with its own dispatcher, such as a proxy: calls use it', async () => {
  const before = `
    class ProxyAgent {
      dispatch(options, handler) {
        const error = Object.assign(new Error('the proxy was asked for ' + options.path), { code: 'ECONNREFUSED' });
        handler.onError ? handler.onError(error) : handler.onResponseError(null, error);
        return true;
      }
    }
    globalThis[Symbol.for('undici.globalDispatcher.1')] = new ProxyAgent();`;
  const [rest, rpc] = await programOf('http://node.hub.test:1317', before);
  expect(rest).toMatch(/^refused: .*the proxy was asked for \/.*node\/v3\/params/);
  expect(rpc).toMatch(/^refused: .*the proxy was asked for \//);
});

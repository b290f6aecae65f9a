// Maximum number of sockets to an endpoint, counted by the server.
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { afterEach, describe, expect, it } from 'vitest';
import { getThing } from '../test/methods.js';
import { createAbciTransport } from './abci/transport.js';
import { HubError } from './error.js';
import { listServices } from './grpc/reflection.js';
import { createGrpcTransport } from './grpc/transport.js';
import { publicNaming as naming } from './naming/public.js';
import { createRestTransport } from './rest/transport.js';
import { createRpcClient } from './rpc/transport.js';
import { openWebSocket } from './websocket/connection.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A server that counts concurrently open sockets. */
async function counted(serve: (socket: Socket) => void, server: Server = createServer()) {
  const sockets = new Set<Socket>();
  const count = { most: 0, all: 0 };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    count.all++;
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
    serve(socket);
    void turns(10).then(() => (count.most = Math.max(count.most, sockets.size)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { port, address: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, count, sockets };
}

/** The end of an older socket is reported in later turns of the event loop than the next one. */
async function turns(many: number): Promise<void> {
  for (let turn = 0; turn < many; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );

const peers: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => undefined,
  'ends every connection': (socket) => void socket.end(),
  'resets every connection': (socket) => void socket.resetAndDestroy(),
  'sends nonsense': (socket) => void socket.write('nonsense'),
  'drips a header': (socket) => void socket.write('HTTP/1.1 200 OK\r\n'),
};

type Ask = (url: string, address: string) => { once: () => Promise<unknown>; close: () => Promise<void> };
const timeoutMs = 60;
const asks: Readonly<Record<string, Ask>> = {
  grpc: (_url, address) => {
    const transport = createGrpcTransport({ address, naming, timeoutMs });
    return { once: () => transport.call(getThing, {}), close: () => transport.close() };
  },
  'grpc over TLS': (_url, address) => {
    const transport = createGrpcTransport({ address: `https://${address}`, naming, timeoutMs });
    return { once: () => transport.call(getThing, {}), close: () => transport.close() };
  },
  rest: (address) => {
    const transport = createRestTransport({ address, naming, timeoutMs });
    return { once: () => transport.call(getThing, { id: 1n }), close: () => transport.close() };
  },
  'rest over TLS': (address) => {
    const transport = createRestTransport({ address: address.replace('http:', 'https:'), naming, timeoutMs });
    return { once: () => transport.call(getThing, { id: 1n }), close: () => transport.close() };
  },
  abci: (address) => {
    const transport = createAbciTransport({ address, naming, timeoutMs });
    return { once: () => transport.call(getThing, { id: 1n }), close: () => transport.close() };
  },
  rpc: (address) => {
    const client = createRpcClient({ address, naming, timeoutMs });
    return { once: () => client.call('status'), close: () => client.close() };
  },
};

describe.each(Object.keys(peers))('a peer that %s', (peer) => {
  it.each(Object.keys(asks))('%s: 20 calls, ten concurrently, use at most two sockets', async (name) => {
    const { url, address, count } = await counted(peers[peer] as (socket: Socket) => void);
    const ask = (asks[name] as Ask)(url, address);
    const codes = new Set<string>();
    // On a busy machine, a round can end before its first connection.
    for (let round = 0; round < 2 || count.all === 0; round++) {
      for (const code of await Promise.all(Array.from({ length: 10 }, () => codeOf(ask.once())))) codes.add(code);
    }
    await ask.close();
    expect(count.most).toBeLessThanOrEqual(2);
    expect(count.all).toBeGreaterThan(0);
    expect([...codes].filter((code) => !['timeout', 'unavailable', 'http', 'tls'].includes(code))).toEqual([]);
  });

  it('websocket: ten consecutive connections use one socket at a time', async () => {
    const { url, count, sockets } = await counted(peers[peer] as (socket: Socket) => void);
    for (let round = 0; round < 10; round++) {
      expect(await codeOf(openWebSocket({ address: url, naming, timeoutMs }))).not.toBe('ok');
    }
    expect(count.most).toBeLessThanOrEqual(2);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

it('grpc: no socket is left after close, regardless of the peer', async () => {
  const { address, sockets } = await counted(peers['says nothing'] as (socket: Socket) => void);
  const transport = createGrpcTransport({ address, naming, timeoutMs });
  await Promise.all([codeOf(transport.call(getThing, {})), codeOf(transport.call(getThing, {}))]);
  const underWay = codeOf(transport.call(getThing, {}, { timeoutMs: 60_000 }));
  await expect.poll(() => sockets.size).toBeGreaterThan(0);
  await transport.close();
  expect(await underWay).toBe('unavailable');
  await expect.poll(() => sockets.size).toBe(0);
});

it('grpc: two transports and reflection to one address share its sockets', async () => {
  const { address, count, sockets } = await counted(peers['says nothing'] as (socket: Socket) => void);
  const [first, second] = [1, 2].map(() => createGrpcTransport({ address, naming, timeoutMs }));
  for (let round = 0; round < 3; round++) {
    const asked = [first, second].map((transport) =>
      codeOf((transport as NonNullable<typeof first>).call(getThing, {})),
    );
    expect(await Promise.all([...asked, codeOf(listServices({ address, timeoutMs }))])).toEqual(
      Array.from({ length: 3 }, () => 'timeout'),
    );
  }
  expect(count.most).toBeLessThanOrEqual(2);
  await first?.close();
  await second?.close();
  await expect.poll(() => sockets.size).toBe(0);
});

/** Responds over HTTP/2, and closes its connections on request. */
async function restless() {
  const sessions = new Set<ServerHttp2Session>();
  const server = createHttp2Server();
  const message = encodeBinary(getThing.response, { id: 7n });
  const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
  let answered = 0;
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.resume();
    stream.on('end', () => {
      if (stream.destroyed) return;
      answered++;
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(frame);
    });
  });
  const at = await counted(() => undefined, server);
  return {
    ...at,
    answered: () => answered,
    /** Like a Go server: streams that are opened from now on are not processed. */
    goAway: () => {
      for (const session of sessions) session.close();
    },
  };
}

it('grpc: 1 200 calls all succeed while the server closes its connections every 25 ms', async () => {
  const server = await restless();
  const transport = createGrpcTransport({ address: server.address, naming });
  open.push(transport);
  const timer = setInterval(() => server.goAway(), 25);
  const codes: string[] = [];
  for (let round = 0; round < 24; round++) {
    codes.push(...(await Promise.all(Array.from({ length: 50 }, () => codeOf(transport.call(getThing, {}))))));
  }
  clearInterval(timer);
  expect(codes.filter((code) => code !== 'ok')).toEqual([]);
  expect(server.answered()).toBe(1_200);
  expect(server.count.most).toBeLessThanOrEqual(2);
});

// Hosts whose addresses change or fail, over real sockets. Only the results of the resolver are mocked.
import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { getThing } from '../test/methods.js';
import { type GrpcReply, startGrpc, startHttp } from '../test/servers.js';
import { createGrpcTransport } from './grpc/transport.js';
import { publicNaming as naming } from './naming/public.js';
import { createRestTransport } from './rest/transport.js';
import { createRpcClient } from './rpc/transport.js';
import { openWebSocket } from './websocket/connection.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const each of open.splice(0).reverse()) await each.close();
});

const name = 'node.hub.test';

/** Makes the platform resolver return these addresses for the name from now on. */
function nameMeans(...addresses: readonly string[]): void {
  vi.restoreAllMocks();
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(found as never);
  const lookup = (_name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void): void => {
    const [{ address, family } = { address: '', family: 4 }] = found;
    setImmediate(() => (options.all ? done(null, found) : done(null, address, family)));
  };
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
}

const thing = (id: bigint): GrpcReply => ({ message: encodeBinary(getThing.response, { id }) });
const codeOf = (call: Promise<{ message: { id?: bigint } }>): Promise<string> =>
  call.then(
    ({ message }) => `answered ${message.id}`,
    (error: unknown) => String((error as { code?: string }).code),
  );

describe('a name whose address changes', () => {
  it('moved name, old host silent: gRPC reaches the new host after one timeout', async () => {
    let isSilent = false;
    const before = await startGrpc(() => (isSilent ? undefined : thing(1n)));
    const after = await startGrpc(() => thing(2n), { host: '127.0.0.2', port: before.port });
    nameMeans('127.0.0.1');
    const grpc = createGrpcTransport({ address: `${name}:${before.port}`, naming });
    open.push(before, after, grpc);
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 1');
    nameMeans('127.0.0.2');
    isSilent = true;
    expect(await codeOf(grpc.call(getThing, {}, { timeoutMs: 300 }))).toBe('timeout');
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 2');
  });

  it('moved name, old host still responding: gRPC resolves the name again after ten minutes', async () => {
    const before = await startGrpc(() => thing(1n));
    const after = await startGrpc(() => thing(2n), { host: '127.0.0.2', port: before.port });
    nameMeans('127.0.0.1');
    const grpc = createGrpcTransport({ address: `${name}:${before.port}`, naming });
    open.push(before, after, grpc);
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 1');
    nameMeans('127.0.0.2');
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 1');
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000);
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 2');
  });

  it('moved name, old host refusing: gRPC finds the new host', async () => {
    const before = await startGrpc(() => thing(1n));
    const after = await startGrpc(() => thing(2n), { host: '127.0.0.2', port: before.port });
    nameMeans('127.0.0.1');
    const grpc = createGrpcTransport({ address: `${name}:${before.port}`, naming });
    open.push(after, grpc);
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 1');
    nameMeans('127.0.0.2');
    await before.close();
    const codes = new Set<string>();
    await vi.waitFor(
      async () => {
        const code = await codeOf(grpc.call(getThing, {}));
        codes.add(code);
        expect(code).toBe('answered 2');
      },
      { timeout: 120_000, interval: 50 },
    );
    expect([...codes].filter((code) => !/^(refused|unavailable|answered 2)$/.test(code))).toEqual([]);
  });

  it('moved name, old host silent: REST and RPC reach the new host after at most one timeout, a websocket immediately', async () => {
    let isSilent = false;
    const before = await startHttp((_request, _body, response) => {
      if (!isSilent) response.end('{"id":"1"}');
    });
    const after = await startHttp(
      (request, body, response) =>
        response.end(
          request.method === 'GET'
            ? '{"id":"2"}'
            : JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, result: {} }),
        ),
      { host: '127.0.0.2', port: before.port },
    );
    open.push(before, after);
    nameMeans('127.0.0.1');
    const address = `http://${name}:${before.port}`;
    const rest = createRestTransport({ address, naming });
    expect(await codeOf(rest.call(getThing, { id: 1n }))).toBe('answered 1');
    nameMeans('127.0.0.2');
    isSilent = true;
    // If the last used connection is idle, it is tried once.
    const codes: string[] = [];
    for (let call = 0; call < 4; call++) codes.push(await codeOf(rest.call(getThing, { id: 1n }, { timeoutMs: 300 })));
    expect(codes.filter((code) => code !== 'answered 2').length).toBeLessThan(2);
    expect(await createRpcClient({ address, naming }).call('health')).toEqual({});
    await expect(openWebSocket({ address, naming })).rejects.toMatchObject({ code: 'http' });
  });
});

/** A server in a separate process that cannot accept the next connection until it is released. */
async function startSlow(): Promise<{ port: number; release(): void }> {
  const program = `const { createServer } = require('node:http');
    const { WebSocketServer } = require('ws');
    const server = createServer((request, response) => response.end('{"id":"3"}'));
    new WebSocketServer({ server });
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  open.push({ close: () => child.kill('SIGKILL') });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(text.toString());
  child.kill('SIGSTOP');
  // These fill its queue: the first packet of the next connection is dropped, and sent again after a second.
  for (let waiting = 0; waiting < 2; waiting++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    open.push({ close: () => socket.destroy() });
  }
  return { port, release: () => child.kill('SIGCONT') };
}

describe('a name with several addresses', () => {
  it('slow handshake with an unroutable second address: REST responds, and the origin is marked as slow', async () => {
    const slow = await startSlow();
    nameMeans('127.0.0.1', '127.0.0.2');
    const rest = createRestTransport({ address: `http://${name}:${slow.port}`, naming });
    const answer = codeOf(rest.call(getThing, { id: 1n }));
    setTimeout(() => slow.release(), 400);
    expect(await answer).toBe('answered 3');
  });

  it('slow handshake with an unroutable second address: a broadcast is sent once', async () => {
    const slow = await startSlow();
    nameMeans('127.0.0.1', '127.0.0.2');
    const rpc = createRpcClient({ address: `http://${name}:${slow.port}`, naming });
    const sent = rpc.call('broadcast_tx_sync', { tx: Uint8Array.of(1) });
    setTimeout(() => slow.release(), 400);
    // The request reached the server, which is not a node.
    await expect(sent).rejects.toMatchObject({ code: 'http', raw: { httpStatus: 200 } });
  });

  it('slow handshake with an unroutable second address: a websocket connects', async () => {
    const slow = await startSlow();
    nameMeans('127.0.0.1', '127.0.0.2');
    const opening = openWebSocket({ address: `http://${name}:${slow.port}`, naming });
    setTimeout(() => slow.release(), 400);
    const socket = await opening;
    await socket.close();
  });

  it('no address responds: the error lists the failure of each address', async () => {
    const slow = await startSlow();
    nameMeans('127.0.0.1', '127.0.0.2');
    const at = { address: `http://${name}:${slow.port}`, naming, timeoutMs: 8_000 };
    const texts = await Promise.all(
      [createRestTransport(at).call(getThing, { id: 1n }), openWebSocket(at)].map((call) =>
        call.then(
          () => 'answered',
          (error: unknown) => `${(error as { code?: string }).code} ${(error as Error).message}`,
        ),
      ),
    );
    for (const text of texts) {
      expect(text).toMatch(/^timeout .*ETIMEDOUT 127\.0\.0\.1:\d+; connect ECONNREFUSED 127\.0\.0\.2:\d+$/);
    }
  });

  it('no address listens: fails with refused', async () => {
    const gone = await startHttp(() => undefined);
    await gone.close();
    nameMeans('127.0.0.1', '127.0.0.2');
    const rest = createRestTransport({ address: `http://${name}:${gone.port}`, naming });
    await expect(rest.call(getThing, { id: 1n })).rejects.toMatchObject({ code: 'refused' });
  });

  it('one unroutable and one responding address: gRPC and REST respond', async () => {
    const grpcServer = await startGrpc(() => thing(1n));
    const httpServer = await startHttp((_request, _body, response) => response.end('{"id":"1"}'));
    // A prefix for documentation: packets to it are refused or lost, never answered.
    nameMeans('192.0.2.1', '127.0.0.1');
    const grpc = createGrpcTransport({ address: `${name}:${grpcServer.port}`, naming });
    open.push(grpcServer, httpServer, grpc);
    expect(await codeOf(grpc.call(getThing, {}))).toBe('answered 1');
    const rest = createRestTransport({ address: `http://${name}:${httpServer.port}`, naming });
    expect(await codeOf(rest.call(getThing, { id: 1n }))).toBe('answered 1');
  });
});

// Field cases about connections.
import { once } from 'node:events';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { getThing } from '../test/methods.js';
import { selfSigned } from '../test/self-signed.js';
import { startHttp, type TestServer } from '../test/servers.js';
import { createAbciTransport } from './abci/transport.js';
import { HubError } from './error.js';
import { createGrpcTransport } from './grpc/transport.js';
import { publicNaming } from './naming/public.js';
import { createRestTransport } from './rest/transport.js';
import { createRpcClient } from './rpc/transport.js';
import { openWebSocket } from './websocket/connection.js';

const open: (TestServer | Server)[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const naming = publicNaming;
const codeOf = (error: unknown): string => (error instanceof HubError ? error.code : 'not a HubError');

describe('field cases of connections', () => {
  it('self-signed certificate: refused as tls on every transport', async () => {
    const secure = createHttpsServer(selfSigned, (_, response) => response.end('{}'));
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    open.push(secure);
    const address = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
    const grpc = createGrpcTransport({ address, naming, timeoutMs: 3_000 });
    const calls: [string, Promise<unknown>][] = [
      ['rest', createRestTransport({ address, naming }).call(getThing, { id: 1n })],
      ['abci', createAbciTransport({ address, naming }).call(getThing, {})],
      ['rpc', createRpcClient({ address, naming }).call('health')],
      ['websocket', openWebSocket({ address, naming })],
      ['grpc', grpc.call(getThing, {})],
    ];
    const codes = await Promise.all(
      calls.map(([kind, call]) =>
        call.then(
          () => `${kind} answered`,
          (error: unknown) => `${kind} ${codeOf(error)}`,
        ),
      ),
    );
    expect(codes).toEqual(['rest tls', 'abci tls', 'rpc tls', 'websocket tls', 'grpc tls']);
    await grpc.close();
  });

  it('TLS port without HTTP/2: tls or unavailable within the timeout', async () => {
    const plain = createTlsServer({ ...selfSigned, ALPNProtocols: ['http/1.1'] }, (socket) => {
      socket.on('error', () => undefined);
    });
    plain.on('tlsClientError', () => undefined);
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    open.push(plain);
    const address = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const grpc = createGrpcTransport({ address, naming, timeoutMs: 3_000 });
    const code = await grpc.call(getThing, {}).catch(codeOf);
    expect(['tls', 'unavailable']).toContain(code);
    await grpc.close();
  });

  it('reused connections that the server closes: one retry, 100 reads without a failure', async () => {
    const asked: string[] = [];
    let dropping = false;
    const server = await startHttp((request, _, response) => {
      asked.push(request.url ?? '');
      // Drops a reused connection without a response; the other kept ones were dropped before.
      const socket = request.socket as Socket & { used?: boolean };
      dropping = socket.used === true && !dropping;
      if (dropping) return void socket.destroy();
      socket.used = true;
      response.end('{}');
    });
    open.push(server);
    const rest = createRestTransport({ address: server.url, naming });
    for (let i = 0; i < 100; i++) await rest.call(getThing, { id: 1n });
    expect(asked.length).toBeGreaterThan(130);
  });

  it('broadcast on a connection that the server closes: fails and is not sent again', async () => {
    let asked = 0;
    const server = await startHttp((request) => {
      asked++;
      request.socket.destroy();
    });
    open.push(server);
    const rpc = createRpcClient({ address: server.url, naming });
    const tx = Uint8Array.of(1);
    for (const method of ['broadcast_tx_sync', 'broadcast_tx_async', 'broadcast_tx_commit', 'check_tx'] as const) {
      await expect(rpc.call(method, { tx })).rejects.toMatchObject({ code: 'unavailable' });
    }
    const uri = createRpcClient({ address: server.url, naming, form: 'uri' });
    await expect(uri.call('broadcast_tx_sync', { tx })).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(5);
    await expect(rpc.call('status')).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(7);
  });

  it('node without a transaction index: unimplemented, distinct from no match', async () => {
    const answers: object[] = [
      { error: { code: -32603, message: 'Internal error', data: 'transaction indexing is disabled' } },
      { result: { txs: null, total_count: '0' } },
    ];
    const server = await startHttp((_, body, response) => {
      const { id } = JSON.parse(body) as { id: number };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answers.shift() }));
    });
    open.push(server);
    const rpc = createRpcClient({ address: server.url, naming });
    const search = () => rpc.call('tx_search', { query: "a.b='1'" });
    await expect(search()).rejects.toMatchObject({ code: 'unimplemented' });
    expect(await search()).toEqual({ txs: [], totalCount: 0n });
  });

  it('idle gRPC connection: the client sends no ping', async () => {
    let pings = 0;
    const quiet = createHttp2Server();
    quiet.on('session', (session) => session.on('ping', () => pings++));
    quiet.on('stream', (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '5', 'grpc-message': 'not there' }));
      stream.end();
    });
    quiet.listen(0, '127.0.0.1');
    await once(quiet, 'listening');
    open.push(quiet);
    const address = `127.0.0.1:${(quiet.address() as AddressInfo).port}`;
    const grpc = createGrpcTransport({ address, naming });
    for (let i = 0; i < 20; i++) await expect(grpc.call(getThing, {})).rejects.toMatchObject({ code: 'not_found' });
    await grpc.close();
    expect(pings).toBe(0);
  });
});

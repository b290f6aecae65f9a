import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { afterEach, expect, test } from 'vitest';
import { getThing } from '../test/methods.js';
import { startGrpc, startHttp } from '../test/servers.js';
import { createAbciTransport } from './abci/transport.js';
import { createGrpcTransport } from './grpc/transport.js';
import { publicNaming as naming } from './naming/public.js';
import { connectPool } from './pool/connect-pool.js';
import { createRestTransport } from './rest/transport.js';
import { createRpcClient } from './rpc/transport.js';
import type { CallOptions } from './transport.js';

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
});

const of = { 'x-kept': 'transport', 'X-Api-Key': 'transport' } as const;
const own = { 'x-api-key': 'call', 'x-trace': '1' } as const;
const both = { 'x-kept': 'transport', 'x-api-key': 'call', 'x-trace': '1' } as const;

type Ask = (address: string, call: CallOptions) => Promise<unknown>;

const overHttp: readonly (readonly [string, Ask])[] = [
  ['rest', (address, call) => createRestTransport({ address, naming, headers: of }).call(getThing, { id: 1n }, call)],
  ['abci', (address, call) => createAbciTransport({ address, naming, headers: of }).call(getThing, { id: 1n }, call)],
  ['rpc', (address, call) => createRpcClient({ address, naming, headers: of }).call('health', {}, call)],
  [
    'a batch over rpc',
    (address, call) => createRpcClient({ address, naming, headers: of }).batch([{ method: 'health' }], call),
  ],
];

test.each(overHttp)(
  'headers of a call over %s: merged with those of the transport, replacing equal names',
  async (_, ask) => {
    const seen: object[] = [];
    const server = await startHttp(({ headers }, _body, response) => {
      seen.push(headers);
      response.writeHead(503).end();
    });
    closing.push(server);
    for (const headers of [own, undefined]) await ask(server.url, { headers }).catch(() => undefined);
    expect(seen).toEqual([
      expect.objectContaining(both),
      expect.objectContaining({ 'x-kept': 'transport', 'x-api-key': 'transport' }),
    ]);
    expect(seen[1]).not.toHaveProperty('x-trace');
  },
);

test('headers of a call over gRPC: merged with the metadata of the transport', async () => {
  const seen: object[] = [];
  const server = await startGrpc(({ headers }) => {
    seen.push(headers);
    return { message: encodeBinary(getThing.response, { id: 7n }) };
  });
  const transport = createGrpcTransport({ address: server.address, naming, headers: of });
  closing.push(server, transport);
  await transport.call(getThing, { id: 1n }, { headers: own });
  expect(seen).toEqual([expect.objectContaining(both)]);
});

test('headers of a call on a pool: reach the endpoint, for queries, RPC calls and batches', async () => {
  const seen: string[] = [];
  const server = await startHttp((request, body, response) => {
    const asked = /"method":"(\w+)"/.exec(body)?.[1] ?? '';
    if (request.headers['x-trace'] === '1') seen.push(asked);
    response.writeHead(400).end();
  });
  closing.push(server);
  const pool = connectPool([{ name: 'only', rpc: server.url, naming }]);
  closing.push(pool);
  const call = { headers: own, timeoutMs: 2_000 };
  const calls = [
    () => pool.abci?.call(getThing, { id: 1n }, call),
    () => pool.rpc?.call('health', {}, call),
    () => pool.rpc?.batch([{ method: 'genesis' }], call),
  ];
  for (const ask of calls) await expect(ask()).rejects.toThrow();
  expect([...new Set(seen)].sort()).toEqual(['abci_query', 'genesis', 'health']);
});

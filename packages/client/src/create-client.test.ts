import { QueryNodesResponse } from '@hubwatch/types/gen/forms/hub/node/v3/querier';
import { NodeQuery } from '@hubwatch/types/gen/services/hub/node/v3/query-service';
import { PlanQuery } from '@hubwatch/types/gen/services/hub/plan/v3/query-service';
import { ProviderQuery } from '@hubwatch/types/gen/services/hub/provider/v2/query-service';
import type { SessionQuery } from '@hubwatch/types/gen/services/hub/session/v3/query-service';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { toBase64 } from '@hubwatch/types/runtime/base64';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { startGrpc, startHttp } from '../test/servers.js';
import { type Connection, connect, type ConnectOptions } from './connect.js';
import { createClient, type ServiceClient } from './create-client.js';
import { publicNaming } from './naming/public.js';
import type { Collected } from './pages/collect.js';
import { connectPool } from './pool/connect-pool.js';

/** Three nodes on two pages, and empty parameters. */
const names = ['sentnode1a', 'sentnode1b', 'sentnode1c'];
let asked: string[] = [];
let hub: Connection<{ grpc: string; rest: string; rpc: string }>;
const addresses = { grpc: '', rest: '', rpc: '' };
const closing: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  const page = (isSecond: boolean) => ({
    nodes: (isSecond ? names.slice(2) : names.slice(0, 2)).map((address) => ({ address })),
    pagination: isSecond ? {} : { nextKey: Uint8Array.of(7) },
  });
  const rest = await startHttp((request, _, response) => {
    asked.push(request.url ?? '');
    const { nodes, pagination } = page(request.url?.includes('pagination.key') === true);
    const next = pagination.nextKey === undefined ? null : toBase64(pagination.nextKey);
    response.setHeader('grpc-metadata-x-cosmos-block-height', '9');
    response.end(JSON.stringify(request.url?.endsWith('/params') ? {} : { nodes, pagination: { next_key: next } }));
  });
  const bytesOf = (path: string, message: Uint8Array): Uint8Array =>
    path.endsWith('/QueryNodes')
      ? encodeBinary(QueryNodesResponse, page(Buffer.from(message).includes(7)))
      : new Uint8Array();
  const grpc = await startGrpc(({ path, message }) => {
    asked.push(path);
    return { message: bytesOf(path, message), initial: { 'x-cosmos-block-height': '9' } };
  });
  const rpc = await startHttp((_, body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params: { path: string; data: string } };
    asked.push(params.path);
    const value = Buffer.from(bytesOf(params.path, Buffer.from(params.data, 'hex'))).toString('base64');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { response: { code: 0, value, height: '9' } } }));
  });
  Object.assign(addresses, { grpc: grpc.address, rest: rest.url, rpc: rpc.url });
  hub = connect({ ...addresses, naming: publicNaming });
  closing.push(rest, grpc, rpc, hub);
});
afterAll(async () => {
  for (const open of closing.reverse()) await open.close();
});

/** Results of each call of a list, for any transport. */
async function readNodes(nodes: ServiceClient<typeof NodeQuery, 'grpc' | 'rest' | 'abci'>) {
  const { message, height, isCut } = await nodes.queryNodes({ status: 1 });
  const whole = await nodes.queryNodes.collect();
  const paged: string[][] = [];
  for await (const { items } of nodes.queryNodes.pages({ status: 0 }, { pageSize: 2 }))
    paged.push(items.map(({ address }) => address));
  const one = await nodes.queryNodes.onePage({ pagination: { limit: 2n } });
  return {
    call: [message.nodes.length, height, isCut],
    collect: [whole.items.map(({ address }) => address), whole.extent],
    pages: paged,
    onePage: [one.items.length, one.nextKey],
  };
}

test.each(['grpc', 'rest', 'abci'] as const)(
  'createClient: over %s, a list can be called, collected, read by pages and read as one page',
  async (kind) => {
    expect(await readNodes(createClient(NodeQuery, hub[kind]))).toEqual({
      call: [2, 9n, true],
      collect: [names, { kind: 'complete', height: 9n }],
      pages: [names.slice(0, 2), names.slice(2)],
      onePage: [2, Uint8Array.of(7)],
    });
  },
);

test('createClient: has the methods of the service, sends nothing on creation, and its methods can be detached', async () => {
  asked = [];
  const nodes = createClient(NodeQuery, hub.grpc);
  expect(Object.keys(nodes)).toEqual(Object.keys(NodeQuery.methods));
  expect('collect' in nodes.queryParams).toBe(false);
  expect(asked).toEqual([]);
  const { queryParams } = nodes;
  expect((await queryParams()).height).toBe(9n);
  expect(asked).toEqual([expect.stringMatching(/\.node\.v3\.QueryService\/QueryParams$/)]);
});

test('createClient: passes on height, limits and signal of a call', async () => {
  const nodes = createClient(NodeQuery, hub.rest);
  await expect(nodes.queryNodes({}, { height: -1n })).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(nodes.queryNodes.onePage({}, { maxBytes: 1 })).rejects.toMatchObject({ code: 'limit' });
  const signal = AbortSignal.abort();
  await expect(nodes.queryNodes.collect({}, { signal })).rejects.toMatchObject({ code: 'cancelled' });
});

test('createClient: a call that is not served does not compile, and is refused with the same sentence before a request', async () => {
  asked = [];
  const reason = PlanQuery.methods.queryPlans.availability.rest;
  const message = expect.stringContaining(reason.reason) as string;
  const refused = { code: 'not_served', message };
  const plans = createClient(PlanQuery, hub.rest);
  // @ts-expect-error -- hub.plan.v3 has no REST route
  await expect(plans.queryPlans()).rejects.toMatchObject(refused);
  // @ts-expect-error -- likewise with a request
  await expect(plans.queryPlans({ status: 1 })).rejects.toMatchObject(refused);
  // @ts-expect-error -- likewise for the whole list
  await expect(plans.queryPlans.collect({})).rejects.toMatchObject(refused);
  // @ts-expect-error -- likewise for one page
  await expect(plans.queryPlans.onePage()).rejects.toMatchObject(refused);
  // @ts-expect-error -- likewise by pages
  const sweep = plans.queryPlans.pages() as AsyncIterable<unknown>;
  await expect(sweep[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
  // @ts-expect-error -- hub.provider.v2 QueryParams is served nowhere
  await expect(createClient(ProviderQuery, hub.grpc).queryParams()).rejects.toMatchObject({ code: 'not_served' });
  expect(asked).toEqual([]);
});

test('createClient: requests are checked by the compiler', () => {
  const nodes = createClient(NodeQuery, hub.grpc);
  const wrong = () => [
    // @ts-expect-error -- a request has no such member
    nodes.queryNode({ adress: 'a' }),
    // @ts-expect-error -- 64-bit numbers are bigint
    nodes.queryNodes({ pagination: { limit: 1 } }),
    // @ts-expect-error -- collect pages by itself
    nodes.queryNodes.collect({ pagination: { limit: 1n } }),
    // @ts-expect-error -- one record is no list
    nodes.queryNode.collect({ address: 'a' }),
  ];
  expect(wrong).toBeTypeOf('function');
});

test('createClient: records of a list and values of an Any have their types', () => {
  type Sessions = ServiceClient<typeof SessionQuery, 'grpc'>;
  type Session = Awaited<ReturnType<Sessions['querySessions']['collect']>>['items'][number];
  const describe = (session: Session): string => {
    switch (session.typeUrl) {
      case '/hub.node.v3.Session':
        return session.value.price.quoteValue;
      case '/hub.subscription.v3.Session':
        expectTypeOf(session.value.subscriptionId).toEqualTypeOf<bigint>();
        return `${session.value.subscriptionId}`;
      default:
        expectTypeOf(session).toHaveProperty('raw');
        return session.typeUrl;
    }
  };
  expect(describe({ typeUrl: '/other.v1.Session', raw: new Uint8Array() } as never)).toBe('/other.v1.Session');
  expectTypeOf(createClient(NodeQuery, hub.grpc).queryNodes.collect).returns.resolves.toExtend<
    Collected<{ readonly address: string }>
  >();
});

test('createClient: returns undefined for a transport without an address, like connect', async () => {
  const given: ConnectOptions = { rest: addresses.rest, naming: publicNaming };
  const dynamic = connect(given);
  closing.push(dynamic);
  const overGrpc = createClient(NodeQuery, dynamic.grpc);
  expectTypeOf(overGrpc).toEqualTypeOf<ServiceClient<typeof NodeQuery, 'grpc'> | undefined>();
  expect(overGrpc).toBeUndefined();
  expect((await createClient(NodeQuery, dynamic.rest)?.queryParams())?.height).toBe(9n);
  expectTypeOf(createClient(NodeQuery, hub.grpc)).toEqualTypeOf<ServiceClient<typeof NodeQuery, 'grpc'>>();
});

test('createClient: over a pool, the next endpoint is used when one is down', async () => {
  const pool = connectPool([
    { rest: 'http://127.0.0.1:1', naming: publicNaming },
    { rest: addresses.rest, naming: publicNaming },
  ]);
  closing.push(pool);
  const nodes = createClient(NodeQuery, pool.rest);
  expect((await nodes?.queryNodes.collect())?.items.map(({ address }) => address)).toEqual(names);
});

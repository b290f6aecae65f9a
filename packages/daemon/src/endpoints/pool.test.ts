import { HubError } from '@hubwatch/client';
import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { expect, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint } from '../../test/fake-endpoint.js';
import { type TestParts, testParts } from '../../test/parts.js';
import type { ReportedHead } from './head.js';

const method = 'hub.node.v3.QueryService/QueryNode';
const refused = new HubError({ code: 'refused', message: 'refused', transport: 'grpc' });
const head = (height: bigint, rightChain = true): ReportedHead => ({
  height,
  timeMs: 0,
  catchingUp: false,
  rightChain,
});

const read = ({ pool, signal }: TestParts) =>
  pool.read('x', signal, async (source) => {
    const { height } = await source.call(queryNode, { address: 'x' });
    return { height, from: `${source.endpoint}/${source.transport}` };
  });

const twoEndpoints = (): { a: FakeEndpoint; b: FakeEndpoint } => {
  const fakes = { a: fakeEndpoint(['grpc', 'rest']), b: fakeEndpoint(['grpc']) };
  for (const fake of Object.values(fakes)) fake.queries[method] = {};
  return fakes;
};

test('pool: asks the freshest endpoint first, over gRPC before REST', async () => {
  const parts = testParts(twoEndpoints());
  parts.pool.report('a', head(50n));
  parts.pool.report('b', head(100n));
  expect((await read(parts)).from).toBe('b/grpc');
  parts.pool.report('a', head(100n));
  expect((await read(parts)).from).toBe('a/grpc');
});

test('pool: goes on to the next transport and endpoint, and tells the first failure when all fail', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.queries[method] = refused;
  expect((await read(parts)).from).toBe('b/grpc');
  fakes.b.queries[method] = new HubError({ code: 'timeout', message: 'late', transport: 'grpc' });
  await expect(read(parts)).rejects.toBe(refused);
});

test('pool: an endpoint of another chain is never asked', async () => {
  const parts = testParts(twoEndpoints());
  parts.pool.report('a', head(100n, false));
  expect((await read(parts)).from).toBe('b/grpc');
  parts.pool.report('b', head(100n, false));
  await expect(read(parts)).rejects.toMatchObject({ code: 'unavailable' });
});

test('pool: "not found" is an answer, no other endpoint is asked', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  let asked = 0;
  fakes.a.queries[method] = new HubError({ code: 'not_found', message: 'no', transport: 'grpc' });
  fakes.b.queries[method] = () => {
    asked += 1;
    return {};
  };
  await expect(read(parts)).rejects.toMatchObject({ code: 'not_found' });
  expect(asked).toBe(0);
});

test('pool: an answer older than one taken before is no news', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.height = 100n;
  await read(parts);
  fakes.a.height = 99n;
  fakes.b.height = 101n;
  expect((await read(parts)).from).toBe('b/grpc');
  fakes.b.height = 98n;
  await expect(read(parts)).rejects.toThrow('100 was seen before'.replace('100', '101'));
  expect(await parts.own.registry.getSingleMetricAsString('hubwatch_endpoint_regressions_total')).toContain(
    'endpoint="a"',
  );
});

test('pool: without an answer an endpoint has no head, and the agreed head is gone', () => {
  const { pool } = testParts();
  pool.report('own', head(5n));
  expect(pool.head()?.height).toBe(5n);
  pool.report('own', undefined);
  expect(pool.head()).toBeUndefined();
});

test('pool: the head does not go back by a few blocks, and does by many', () => {
  const { pool } = testParts(twoEndpoints());
  pool.report('a', head(100n));
  expect(pool.head()?.height).toBe(100n);
  pool.report('a', undefined);
  pool.report('b', head(98n));
  expect(pool.head()?.height).toBe(100n);
  pool.report('b', head(50n));
  expect(pool.head()?.height).toBe(50n);
});

test('pool: a transport that was down is left out, and when all are, one is tried', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  parts.pool.report('a', head(100n), new Set(['grpc']));
  parts.pool.report('b', head(100n), new Set(['grpc']));
  expect((await read(parts)).from).toBe('a/rest');
  parts.pool.report('a', undefined, new Set(['grpc', 'rest']));
  let asked = 0;
  const down = () => {
    asked += 1;
    return refused;
  };
  fakes.a.queries[method] = down;
  fakes.b.queries[method] = down;
  await expect(read(parts)).rejects.toBe(refused);
  expect(asked).toBe(1);
});

test('pool: a refusal that is an answer counts as no failure', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.queries[method] = new HubError({ code: 'not_found', message: 'no', transport: 'grpc' });
  await expect(read(parts)).rejects.toMatchObject({ code: 'not_found' });
  expect(await parts.own.registry.getSingleMetricAsString('hubwatch_request_failures_total')).not.toContain(
    'endpoint=',
  );
});

test('pool: a call that the daemon gave up itself counts as no failure of the endpoint', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.queries[method] = new HubError({ code: 'cancelled', message: 'stopping', transport: 'grpc' });
  await expect(read(parts)).rejects.toMatchObject({ code: 'cancelled' });
  expect((await parts.own.requestFailures.get()).values).toEqual([]);
  fakes.a.queries[method] = refused;
  await read(parts);
  expect((await parts.own.requestFailures.get()).values).toMatchObject([
    { value: 1, labels: { transport: 'grpc', reason: 'refused' } },
    { value: 1, labels: { transport: 'rest', reason: 'refused' } },
  ]);
});

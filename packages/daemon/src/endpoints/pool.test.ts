import { HubError } from '@hubwatch/client';
import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { expect, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint } from '../../test/fake-endpoint.js';
import { type TestParts, testParts } from '../../test/parts.js';
import type { ToldHead } from './head.js';

const method = 'hub.node.v3.QueryService/QueryNode';
const refused = new HubError({ code: 'refused', message: 'refused', transport: 'grpc' });
const head = (height: bigint, chainId = 'hub-test'): ToldHead => ({ height, timeMs: 0, catchingUp: false, chainId });

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

test('pool: queries the freshest endpoint first, over gRPC before REST', async () => {
  const parts = testParts(twoEndpoints());
  parts.pool.report('a', head(50n));
  parts.pool.report('b', head(100n));
  expect((await read(parts)).from).toBe('b/grpc');
  parts.pool.report('a', head(100n));
  expect((await read(parts)).from).toBe('a/grpc');
});

test('pool: falls back to the next transport and endpoint, and throws the first failure if all fail', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.queries[method] = refused;
  expect((await read(parts)).from).toBe('b/grpc');
  fakes.b.queries[method] = new HubError({ code: 'timeout', message: 'late', transport: 'grpc' });
  await expect(read(testParts(fakes))).rejects.toBe(refused);
});

test('pool: an endpoint of a different chain is never queried', async () => {
  const parts = testParts(twoEndpoints());
  parts.pool.report('a', head(100n, 'hub-other'));
  // b may serve any chain until it reports its chain id.
  await expect(read(parts)).rejects.toMatchObject({ code: 'unavailable' });
  parts.pool.report('b', head(100n));
  expect((await read(parts)).from).toBe('b/grpc');
  parts.pool.report('b', undefined, new Set());
  expect((await read(parts)).from).toBe('b/grpc');
  parts.pool.report('b', head(100n, 'hub-other'));
  await expect(read(parts)).rejects.toThrow('no endpoint serves the present of hub-test: 2 wrong chain');
});

test('pool: "not found" is an answer, no other endpoint is queried', async () => {
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

test('pool: a response older than one accepted before is ignored', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.height = 100n;
  await read(parts);
  fakes.a.height = 99n;
  fakes.b.height = 101n;
  expect((await read(parts)).from).toBe('b/grpc');
  fakes.b.height = 98n;
  await expect(read(parts)).rejects.toThrow('101 was given before');
  expect(await parts.own.registry.getSingleMetricAsString('hubwatch_endpoint_regressions_total')).toContain(
    'endpoint="a"',
  );
});

test('pool: without a response an endpoint has no head, and the agreed head is gone', () => {
  const { pool } = testParts();
  pool.report('own', head(5n));
  expect(pool.head()?.height).toBe(5n);
  pool.report('own', undefined);
  expect(pool.head()).toBeUndefined();
});

test('pool: the head does not decrease by a few blocks, but does by many', () => {
  const { pool } = testParts(twoEndpoints());
  pool.report('a', head(100n));
  expect(pool.head()?.height).toBe(100n);
  pool.report('a', undefined);
  pool.report('b', head(98n));
  expect(pool.head()?.height).toBe(100n);
  pool.report('b', head(50n));
  expect(pool.head()?.height).toBe(50n);
});

test('pool: a transport that was down is skipped, and if all are, one is tried', async () => {
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

test('pool: a refusal that is a valid answer does not count as a failure', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  fakes.a.queries[method] = new HubError({ code: 'not_found', message: 'no', transport: 'grpc' });
  await expect(read(parts)).rejects.toMatchObject({ code: 'not_found' });
  expect(await parts.own.registry.getSingleMetricAsString('hubwatch_request_failures_total')).not.toContain(
    'endpoint=',
  );
});

test('pool: a call cancelled by the daemon is not a failure of the endpoint, a call cancelled by a node is', async () => {
  const fakes = twoEndpoints();
  const parts = testParts(fakes);
  const cancelled = new HubError({ code: 'cancelled', message: 'stopping', transport: 'grpc' });
  const stopping = new AbortController();
  fakes.a.queries[method] = () => {
    stopping.abort();
    return cancelled;
  };
  await expect(read({ ...parts, signal: stopping.signal })).rejects.toBe(cancelled);
  expect((await parts.own.requestFailures.get()).values).toEqual([]);
  fakes.a.queries[method] = cancelled;
  await expect(read(parts)).rejects.toBe(cancelled);
  expect((await parts.own.requestFailures.get()).values).toMatchObject([
    { value: 1, labels: { transport: 'grpc', reason: 'grpc' } },
  ]);
  fakes.a.queries[method] = refused;
  await read(parts);
  expect((await parts.own.requestFailures.get()).values).toMatchObject([
    { value: 1, labels: { transport: 'grpc', reason: 'grpc' } },
    { value: 1, labels: { transport: 'grpc', reason: 'refused' } },
    { value: 1, labels: { transport: 'rest', reason: 'refused' } },
  ]);
});

test('pool: freshness comes before latency; a fast stale endpoint is not used', async () => {
  const fakes = { slow: fakeEndpoint(), slower: fakeEndpoint(), stale: fakeEndpoint() };
  const parts = testParts(fakes);
  const takes = (ms: number) => () => {
    parts.clock.advance(ms);
    return {};
  };
  fakes.slower.queries[method] = takes(700);
  fakes.slow.queries[method] = takes(300);
  fakes.stale.queries[method] = takes(20);
  fakes.stale.height = 40n;
  const seen: string[] = [];
  for (let poll = 0; poll < 5; poll += 1) {
    parts.pool.report('slow', head(100n));
    parts.pool.report('slower', head(100n));
    parts.pool.report('stale', head(40n));
    seen.push((await read(parts)).from);
  }
  // Each endpoint is tried once before the faster one is known.
  expect(seen).toEqual(['slow/grpc', 'slower/grpc', 'slow/grpc', 'slow/grpc', 'slow/grpc']);
  fakes.slow.queries[method] = refused;
  expect((await read(parts)).from).toBe('slower/grpc');
  fakes.slower.queries[method] = refused;
  await expect(read(parts)).rejects.toBe(refused);
});

test('pool: the faster of two fresh endpoints is used', async () => {
  const fakes = { first: fakeEndpoint(), second: fakeEndpoint() };
  const parts = testParts(fakes);
  for (const name of ['first', 'second']) parts.pool.report(name, head(100n));
  fakes.first.queries[method] = refused;
  fakes.second.queries[method] = () => {
    parts.clock.advance(10);
    return {};
  };
  expect((await read(parts)).from).toBe('second/grpc');
  parts.clock.advance(60_000);
  fakes.first.queries[method] = () => {
    parts.clock.advance(2_000);
    return {};
  };
  expect((await read(parts)).from).toBe('first/grpc');
  expect((await read(parts)).from).toBe('second/grpc');
});

test('pool: after a timeout the next endpoint is tried in the same poll, and the first one is avoided for a while', async () => {
  const fakes = { a: fakeEndpoint(), b: fakeEndpoint(), c: fakeEndpoint() };
  const parts = testParts(fakes);
  for (const name of ['a', 'b', 'c']) parts.pool.report(name, head(100n));
  const asked = { a: 0, b: 0 };
  for (const name of ['a', 'b'] as const)
    fakes[name].queries[method] = () => {
      asked[name] += 1;
      return new HubError({ code: 'timeout', message: 'late', transport: 'grpc' });
    };
  fakes.c.queries[method] = {};
  for (let poll = 0; poll < 10; poll += 1) expect((await read(parts)).from).toBe('c/grpc');
  expect(asked).toEqual({ a: 1, b: 1 });
  fakes.a.queries[method] = {};
  parts.clock.advance(15_001);
  expect((await read(parts)).from).toBe('a/grpc');
});

test('pool: a catching-up endpoint is not used, regardless of its flag, until it was fresh three times', async () => {
  for (const catchingUp of [true, false]) {
    const parts = testParts({ a: fakeEndpoint() });
    const { pool, clock } = parts;
    const behindMs = (ms: number) => clock.nowMs() - ms;
    const look = (height: bigint, timeMs: number, flag: boolean) =>
      pool.report('a', { height, timeMs, chainId: 'hub-test', catchingUp: flag }, new Set());
    let height = 1_000n;
    for (let behind = 6 * 3_600_000; behind > 600_000; behind -= 1_800_000) {
      look(height, behindMs(behind), catchingUp);
      clock.advance(10_000);
      height += 300n;
    }
    expect(pool.standing('a')).toBe('syncing');
    await expect(read(parts)).rejects.toMatchObject({ code: 'unavailable' });
    for (let fresh = 1; fresh <= 3; fresh += 1) {
      expect(pool.standing('a')).toBe('syncing');
      look(height + BigInt(fresh), behindMs(5_000), false);
      clock.advance(10_000);
    }
    expect(pool.standing('a')).toBe('live');
  }
});

test('pool: a stopped endpoint that reports in sync is used last after one poll, and not used after three', () => {
  const { pool, clock } = testParts({ a: fakeEndpoint(), b: fakeEndpoint(), c: fakeEndpoint() });
  let height = 1_000n;
  const poll = (frozen: bigint | undefined): void => {
    const at = (value: bigint) => ({
      height: value,
      timeMs: Number(value) * 1_000,
      chainId: 'hub-test',
      catchingUp: false,
    });
    pool.report('a', at(frozen ?? height), new Set());
    for (const name of ['b', 'c']) pool.report(name, at(height), new Set());
    clock.advance(60_000);
    height += 10n;
  };
  poll(undefined);
  expect(pool.standing('a')).toBe('live');
  const frozen = height - 10n;
  poll(frozen);
  expect(pool.usable().map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  poll(frozen);
  poll(frozen);
  expect(pool.standing('a')).toBe('behind');
  expect(pool.usable().map(({ name }) => name)).toEqual(['b', 'c']);
});

test('pool: without a configured chain id that of the first own endpoint counts, and data of two chains are never mixed', async () => {
  const fakes = { ref: fakeEndpoint(), own: fakeEndpoint() };
  const parts = testParts(fakes, { roles: { own: 'own' }, chainId: undefined });
  for (const fake of Object.values(fakes)) fake.queries[method] = {};
  const { pool } = parts;
  pool.report('ref', head(100n, 'hub-other'), new Set());
  expect(pool.chainId()).toBeUndefined();
  await expect(read(parts)).rejects.toThrow('no endpoint has told its chain yet');
  pool.report('own', head(50n, 'hub-mine'), new Set());
  expect(pool.chainId()).toBe('hub-mine');
  expect([pool.standing('ref'), pool.head()?.height]).toEqual(['wrong_chain', 50n]);
  expect((await read(parts)).from).toBe('own/grpc');
});

test('pool: without an own endpoint the majority chain id is chosen after all were queried; it does not change later', () => {
  const fakes = { a: fakeEndpoint(), b: fakeEndpoint(), c: fakeEndpoint(), dead: fakeEndpoint() };
  const { pool } = testParts(fakes, { chainId: undefined });
  pool.report('a', head(100n, 'hub-other'), new Set());
  pool.report('b', head(100n), new Set());
  pool.report('c', head(100n), new Set());
  expect(pool.chainId()).toBeUndefined();
  pool.report('dead', undefined, new Set(['grpc']));
  expect(pool.chainId()).toBe('hub-test');
  expect(pool.standing('a')).toBe('wrong_chain');
  for (const name of ['b', 'c']) pool.report(name, head(100n, 'hub-other'), new Set());
  expect(pool.chainId()).toBe('hub-test');
  expect(pool.usable()).toEqual([]);
});

test('pool: an endpoint whose chain id changes is not used from that response on', async () => {
  const parts = testParts(twoEndpoints());
  parts.pool.report('a', head(100n), new Set());
  parts.pool.report('b', head(100n), new Set());
  expect((await read(parts)).from).toBe('a/grpc');
  parts.pool.report('a', head(900n, 'hub-test-2'));
  expect((await read(parts)).from).toBe('b/grpc');
  expect(parts.pool.head()?.height).toBe(100n);
});

test('pool: an older response is accepted if three polls return nothing newer, without a log line if it is near', async () => {
  const fakes = { a: fakeEndpoint() };
  const told: string[] = [];
  const parts = testParts(fakes, { onWentBack: (text) => told.push(text) });
  fakes.a.queries[method] = {};
  parts.pool.report('a', head(100n));
  await read(parts);
  fakes.a.height = 98n;
  await expect(read(parts)).rejects.toThrow('100 was given before');
  await expect(read(parts)).rejects.toThrow('100 was given before');
  expect((await read(parts)).height).toBe(98n);
  fakes.a.height = 99n;
  expect((await read(parts)).height).toBe(99n);
  expect(told).toEqual([]);
});

test('pool: a chain rollback is followed as soon as all its endpoints report it, and reported once', async () => {
  const fakes = twoEndpoints();
  const told: string[] = [];
  const parts = testParts(fakes, { onWentBack: (text) => told.push(text) });
  const at = (height: bigint): void => {
    fakes.a.height = height;
    fakes.b.height = height;
  };
  at(500n);
  for (const name of ['a', 'b']) parts.pool.report(name, head(500n));
  await read(parts);
  await parts.pool.read('y', parts.signal, (source) => source.call(queryNode, { address: 'y' }));
  at(400n);
  parts.pool.report('a', head(400n));
  await expect(read(parts)).rejects.toThrow('500 was given before');
  parts.pool.report('b', head(400n));
  expect((await read(parts)).height).toBe(400n);
  await parts.pool.read('y', parts.signal, (source) => source.call(queryNode, { address: 'y' }));
  expect(told).toEqual(['a answered over grpc about x at height 400, where 500 was seen before']);
});

test('pool: a pushed block updates the head, and a burst of blocks does not mark an endpoint as fetching old blocks', () => {
  const { pool, clock } = testParts({ own: fakeEndpoint(['rpc']) });
  const report = (height: bigint): void =>
    pool.report('own', { height, timeMs: clock.nowMs() - 240_000, chainId: 'hub-test', catchingUp: false }, new Set());
  report(100n);
  clock.advance(10_000);
  report(101n);
  for (let height = 102n; height < 120n; height += 1n) {
    clock.advance(1);
    pool.push('own', { height, timeMs: clock.nowMs() - 240_000 + Number(height - 101n) * 6_000, chainId: 'hub-test' });
  }
  expect(pool.head()?.height).toBe(119n);
  expect(pool.standing('own')).toBe('live');
  pool.push('own', { height: 110n, timeMs: 0, chainId: 'hub-test' });
  pool.push('own', { height: 200n, timeMs: clock.nowMs(), chainId: 'hub-other' });
  pool.push('unknown', { height: 200n, timeMs: clock.nowMs(), chainId: 'hub-test' });
  expect(pool.head()?.height).toBe(119n);
});

test('pool: a response older than a pushed block lowers the head only after pushes have stopped', () => {
  const { pool, clock } = testParts({ own: fakeEndpoint(['rpc']) });
  const at = (height: bigint) => ({ height, timeMs: clock.nowMs(), chainId: 'hub-test' });
  const report = (height: bigint): void => pool.report('own', { ...at(height), catchingUp: false }, new Set());
  report(100n);
  pool.push('own', at(150n));
  report(110n);
  expect(pool.told('own')?.height).toBe(150n);
  expect(pool.standing('own')).toBe('live');
  // The chain was rolled back, and the websocket ended with it.
  clock.advance(10_000);
  report(111n);
  expect(pool.told('own')?.height).toBe(111n);
});

test('pool: block intervals are counted by the agreed head, once per block, and not over a period without queries', async () => {
  const parts = testParts();
  const tell = (height: bigint, timeMs: number) =>
    parts.pool.report('own', { height, timeMs, chainId: 'hub-test', catchingUp: false }, new Set());
  const sums = async () => {
    const { values } = await parts.own.blockInterval.get();
    const of = (name: string) => values.find(({ metricName }) => metricName === name)?.value;
    return [of('hub_block_interval_seconds_count'), of('hub_block_interval_seconds_sum')];
  };
  const startMs = parts.clock.nowMs() - 600_000;
  tell(100n, startMs);
  tell(100n, startMs);
  parts.pool.push('own', { height: 101n, timeMs: startMs + 5_000, chainId: 'hub-test' });
  tell(101n, startMs + 5_000);
  expect(await sums()).toEqual([1, 5]);
  tell(104n, startMs + 26_000);
  expect(await sums()).toEqual([4, 26]);
  tell(102n, startMs + 12_000);
  expect(await sums()).toEqual([4, 26]);
  tell(905n, startMs + 599_000);
  tell(906n, startMs + 600_000);
  expect(await sums()).toEqual([5, 27]);
});

test('pool: a chain that is chosen because none is configured is reported once, a configured one is not', () => {
  const chosen: string[] = [];
  const onChosen = (id: string) => void chosen.push(id);
  const fakes = { a: fakeEndpoint(['rpc', 'abci']) };
  const { pool } = testParts(fakes, { chainId: undefined, onChosen });
  pool.report('a', head(100n, 'hub-one'), new Set());
  pool.report('a', head(101n, 'hub-two'), new Set());
  expect([chosen, pool.standing('a')]).toEqual([['hub-one'], 'wrong_chain']);
  const again = testParts(fakes, { chainId: 'hub-one', onChosen });
  again.pool.report('a', head(102n, 'hub-two'), new Set());
  expect([chosen, again.pool.standing('a')]).toEqual([['hub-one'], 'wrong_chain']);
});

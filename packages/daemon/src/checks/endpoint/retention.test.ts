import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { isExact } from '../../endpoints/state-search.js';
import { utc } from '../../words.js';
import { lossMs, type RetentionReading, type RetentionTarget, retention } from './retention.js';

const start = 1_800_000_000_000;
const newestAtStart = 1_904_494n;

/** A node that stores 100 states and prunes every 10 blocks, like the recorded node. */
const prunedNode = () => {
  const fake = fakeEndpoint(['grpc', 'rest', 'abci', 'rpc']);
  const node = {
    newest: newestAtStart,
    fault: undefined as HubError | undefined,
    asked: 0,
    kept: 100n,
    header: undefined as ((params: { height: bigint }) => unknown) | undefined,
  };
  const lowest = (): bigint => (node.newest / 10n) * 10n - node.kept;
  fake.queries['hub.node.v3.QueryService/QueryParams'] = (_request: unknown, height: bigint | undefined) => {
    node.asked += 1;
    fake.height = node.newest;
    if (node.fault !== undefined) return node.fault;
    if (height === undefined || (height >= lowest() && height <= node.newest)) return {};
    const code = height > node.newest ? 'height_in_future' : 'height_not_retained';
    return new HubError({ code, message: 'failed to load state', transport: 'grpc' });
  };
  fake.rpc['header'] = (params: { height: bigint }) => node.header?.(params);
  const parts = testParts({ own: fake });
  const look = async (target: Partial<RetentionTarget> = {}, state = node.newest): Promise<RetentionReading> => {
    const told = { height: node.newest, timeMs: start + Number(node.newest - newestAtStart) * 6_000 };
    const states = new Map([
      ['grpc', state],
      ['rest', state],
    ] as const);
    parts.pool.report('own', { ...told, chainId: 'hub-test', catchingUp: false }, new Set(), states);
    node.asked = 0;
    return retention.collect({ key: 'own', depths: [], earliest: undefined, ...target }, parts);
  };
  return { node, lowest, look, parts };
};

const written = (target: RetentionTarget, reading: RetentionReading): string[] =>
  retention.metrics(target, reading).map(({ family, labels, value }) => `${family.name}{${labels.join(',')}} ${value}`);

test('retention: a required depth is counted from the latest state, not from the head reported some blocks ago', async () => {
  const { node, look } = prunedNode();
  // It stores exactly 100 states: five blocks later the depth of 100 refers to another state.
  await look({ depths: [100n] });
  node.newest = newestAtStart + 6n;
  const told = node.newest - 5n;
  const { transports } = await look({ depths: [100n] }, told);
  const [grpc] = transports;
  expect(grpc?.newest).toBe(node.newest);
  expect(grpc?.depths.get(100n)).toBe('held');
});

test('retention: recorded node, 100 states in steps of 10: 904390 below 904494, found once and followed with few requests', async () => {
  const { node, look } = prunedNode();
  const first = await look();
  expect(first.transports.map(({ transport, bracket }) => [transport, bracket?.held])).toEqual([
    ['grpc', 1_904_390n],
    ['rest', 1_904_390n],
    ['rpc', 1_904_390n],
  ]);
  const [grpc, rest] = first.transports;
  expect(grpc?.queries).toBeLessThanOrEqual(27);
  // The other transports only confirm the result found over gRPC.
  expect(rest?.queries).toBe(2);
  for (let poll = 0; poll < 20; poll += 1) {
    node.newest += 10n;
    const { transports } = await look();
    expect(transports.every(({ queries }) => queries <= 3)).toBe(true);
    // The first movement might be a gap that ends there; the next poll decides.
    expect(transports.every(({ bracket }) => bracket !== undefined && isExact(bracket))).toBe(poll > 0);
    expect(transports[0]?.bracket?.held).toBe((node.newest / 10n) * 10n - 100n);
  }
});

test('retention: rate limit, timeout or start: no statement about the available state, and no series', async () => {
  const { node, look } = prunedNode();
  await look();
  for (const code of ['rate_limited', 'timeout', 'starting', 'refused', 'internal'] as const) {
    node.fault = new HubError({ code, message: code, transport: 'grpc' });
    const target = { key: 'own', depths: [50n], earliest: undefined };
    expect(written(target, await look(target)), code).toEqual([]);
  }
  node.fault = undefined;
  expect((await look()).transports[0]?.bracket?.held).toBe(1_904_390n);
});

test('retention: a handler that fails on an old state has opened it, so the state counts as available', async () => {
  const { node, look } = prunedNode();
  node.kept = 900_000n;
  const text = 'runtime error: invalid memory address or nil pointer dereference';
  node.fault = new HubError({ code: 'internal', message: text, transport: 'grpc', raw: { text } });
  const { transports } = await look({ depths: [1_000n] });
  expect(transports[0]?.depths.get(1_000n)).toBe('held');
});

test('retention: required depths are queried on every poll, and a missing one is reported', async () => {
  const { node, look, parts } = prunedNode();
  const target = { key: 'own', depths: [50n, 5_000n], earliest: undefined };
  await look(target);
  const reading = await look(target);
  // The latest state over gRPC and REST. Per transport two to confirm the bound and one for each depth.
  expect(node.asked).toBe(2 + 3 * 4);
  expect(written(target, reading)).toContain('hub_endpoint_state_available{own,grpc,50} 1');
  expect(written(target, reading)).toContain('hub_endpoint_state_available{own,rpc,5000} 0');
  const [pruned] = retention.rules ?? [];
  const verdict = pruned?.judge(target, reading, parts.moment);
  expect(verdict).toMatchObject({ state: 'firing', title: 'own: state of required depths is not held' });
  expect(verdict?.text).toContain('5000 over grpc, 5000 over rest, 5000 over rpc');
  expect(verdict?.text).toContain('- grpc: lowest state 1904390, 104 before its newest');
});

test('retention: time when a required height is lost, at the speed of the last day', async () => {
  const { node, look, parts } = prunedNode();
  const earliest = newestAtStart - 50n;
  const target = { key: 'own', depths: [], earliest };
  const [, lost] = retention.rules ?? [];
  const judge = (reading: RetentionReading) => lost?.judge(target, reading, parts.moment);
  expect(judge(await look(target))?.state).toBe('ok');
  node.newest += 20n;
  await look(target);
  const reading = await look(target);
  const [grpc] = reading.transports;
  // 20 blocks of 6 s moved the bound by 20 blocks.
  expect(grpc?.blocksPerSecond).toBeCloseTo(1 / 6, 5);
  if (grpc === undefined) throw new Error('nothing was read');
  const seconds = ((lossMs(earliest, grpc, reading.atMs) ?? 0) - reading.atMs) / 1_000;
  expect(seconds).toBeCloseTo(Number(earliest + 1n - 1_904_410n) * 6, 5);
  expect(judge(reading)?.title).toBe(
    `own: state of the required height 1904444 is lost at ${utc(reading.atMs + 210_000)}`,
  );
  node.newest += 100n;
  await look(target);
  expect(judge(await look(target))?.title).toBe('own: state of the required height 1904444 is lost');
});

test('retention: a refusal above a required height may be a skipped state: not reported as a loss yet', () => {
  const target = { key: 'own', depths: [], earliest: 1_000n };
  const bracket = { held: 3_000n, notHeld: 1_500n, newest: 9_000n, isByRuns: false, step: undefined };
  const at = (isConfirmed: boolean): RetentionReading => ({
    transports: [
      {
        transport: 'grpc',
        newest: 9_000n,
        bracket: { ...bracket, isConfirmed },
        depths: new Map(),
        queries: 3,
        blocksPerSecond: undefined,
        boundMs: undefined,
      },
    ],
    atMs: 0,
  });
  const [, lost] = retention.rules ?? [];
  const { moment } = prunedNode().parts;
  expect(lost?.judge(target, at(false), moment).state).toBe('unknown');
  expect(lost?.judge(target, at(true), moment).state).toBe('firing');
});

test('retention: a node restored from an archive is found to have more history again', async () => {
  const { node, look } = prunedNode();
  await look();
  node.kept = 800_000n;
  await look();
  const { transports } = await look();
  expect(transports[0]?.bracket?.held).toBe((node.newest / 10n) * 10n - 800_000n);
});

test('retention: the lowest state has the time of its block while available, read once, and a speed after it moves', async () => {
  const { node, look, parts } = prunedNode();
  let asked = 0;
  const endpoint = parts.pool.endpoints[0];
  expect(endpoint?.has.rpc).toBe(true);
  node.header = ({ height }: { height: bigint }) => {
    asked += 1;
    return { header: { time: { seconds: height, nanos: 0 } } };
  };
  const target = { key: 'own', depths: [], earliest: undefined };
  const first = await look();
  expect(written(target, first)).toContain('hub_endpoint_earliest_state_timestamp_seconds{own,grpc} 1904390');
  await look();
  expect(asked).toBe(1);
  node.newest += 600n;
  await look();
  const lines = written(target, await look());
  expect(lines).toContain('hub_endpoint_earliest_state_timestamp_seconds{own,grpc} 1904990');
  expect(
    lines.some((line) => /^hub_endpoint_bound_speed_blocks_per_second\{own,state,grpc\} 0\.1\d+$/.test(line)),
  ).toBe(true);
  node.header = () => new HubError({ code: 'height_not_retained', message: 'gone', transport: 'rpc' });
  node.newest += 100n;
  expect(written(target, await look()).some((line) => line.includes('earliest_state_timestamp'))).toBe(false);
});

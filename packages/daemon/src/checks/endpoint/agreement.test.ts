import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint, statusResult } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { StarvedError } from '../check.js';
import { agreement, networkTarget } from './agreement.js';
import { endpointStatus } from './endpoint-status.js';

const start = 1_800_000_000_000;

/** An endpoint of a chain with 5 s blocks, whose hashes identify its fork. */
const endpointAt = (height: () => bigint, fork = '', first = 1_000n): FakeEndpoint => {
  const fake = fakeEndpoint(['rpc', 'abci']);
  Object.assign(fake.rpc, {
    status: () => statusResult(height(), start + Number(height() - first) * 5_000),
    net_info: { listening: true, peerCount: 0, peers: [] },
    num_unconfirmed_txs: { count: 0n, total: 0n, totalBytes: 0n, txs: [] },
    consensus_state: {},
    abci_info: () => ({ data: 'hub', version: '12', lastBlockHeight: height() }),
    commit: ({ height: at }: { height: bigint }) => ({
      header: { appHash: `A${at}${fork}` },
      commit: { blockId: { hash: `B${at}${fork}` } },
    }),
  });
  fake.queries['stack.upgrade.v1beta1.Query/CurrentPlan'] = { plan: undefined };
  return fake;
};

const watch = (fakes: Readonly<Record<string, FakeEndpoint>>) => {
  const parts = testParts(fakes);
  let blocks = 0;
  const height = (): bigint => 1_000n + BigInt(blocks);
  return {
    parts,
    height,
    async go(polls: number) {
      for (let poll = 0; poll < polls; poll += 1) {
        parts.clock.advance(10_000);
        blocks += 2;
        for (const target of endpointStatus.targets(parts.config)) await endpointStatus.collect(target, parts);
      }
      const reading = await agreement.collect(networkTarget, parts);
      const lines = agreement
        .metrics(networkTarget, reading)
        .filter(({ family, value }) => family.type !== 'stateset' || value === 1)
        .map(({ family, labels, value }) => `${family.name}{${labels.join(',')}} ${value}`);
      return { reading, lines, verdicts: Object.fromEntries(reading.endpoints) };
    },
  };
};

test('agreement: recorded halt: block 905000 stored and not executed, upgrade due: stopped for the upgrade', async () => {
  const halted = endpointAt(() => 905_000n, '', 905_000n);
  halted.rpc['abci_info'] = { data: 'hub', version: '12.0.2', lastBlockHeight: 904_999n };
  halted.queries['stack.upgrade.v1beta1.Query/CurrentPlan'] = { plan: { name: 'v13_0_0', height: 905_000n } };
  const world = watch({ halted });
  expect((await world.go(2)).verdicts).toEqual({ halted: 'unknown' });
  // The third poll, 20 s after the first.
  const { reading, lines } = await world.go(1);
  expect(reading.chain).toBe('upgrade');
  expect(lines).toEqual(['hub_endpoint_verdict{halted,upgrade} 1', 'hub_chain_state{upgrade} 1']);
});

test('agreement: heads from before a stall of this process are compared only after they were read again', async () => {
  const [a, b] = [endpointAt(() => 1_000n), endpointAt(() => 1_000n)];
  const fakes = { a, b };
  const stall: { endMs?: number } = {};
  const parts = testParts(fakes, { lastStallMs: () => stall.endMs });
  const readAgain = async (): Promise<void> => {
    for (const target of endpointStatus.targets(parts.config)) await endpointStatus.collect(target, parts);
  };
  await readAgain();
  expect(parts.pool.head()?.height).toBe(1_000n);
  parts.clock.advance(60_000);
  stall.endMs = parts.clock.monotonicMs();
  expect([parts.pool.head(), parts.pool.newest(), parts.pool.isObsolete('a')]).toEqual([undefined, undefined, true]);
  await expect(agreement.collect(networkTarget, parts)).rejects.toThrow(StarvedError);
  await readAgain();
  expect([parts.pool.head()?.height, parts.pool.isObsolete('a')]).toEqual([1_000n, false]);
  expect((await agreement.collect(networkTarget, parts)).endpoints.size).toBe(2);
});

test('agreement: fork of one endpoint against two: found at a common height, and not used until it agrees again', async () => {
  let fork = 'F';
  const scene = { height: () => 0n };
  const at = () => scene.height();
  const [a, b, c] = [endpointAt(at), endpointAt(at), endpointAt(at)];
  c.rpc['commit'] = ({ height }: { height: bigint }) => ({
    header: { appHash: `A${height}` },
    commit: { blockId: { hash: `B${height}${fork}` } },
  });
  const world = watch({ a, b, c });
  scene.height = () => world.height();
  const { lines, verdicts } = await world.go(3);
  expect(verdicts).toEqual({ a: 'ok', b: 'ok', c: 'forked' });
  expect(lines).toContain('hub_endpoint_consensus_mismatch{c,block} 1');
  expect(lines).toContain('hub_endpoint_consensus_mismatch{c,app} 0');
  expect(lines).toContain('hub_endpoint_consensus_compared_height{c} 1006');
  expect(world.parts.pool.usable().map(({ name }) => name)).toEqual(['a', 'b']);
  c.rpc['commit'] = new HubError({ code: 'timeout', message: 'late', transport: 'rpc' });
  expect((await world.go(6)).verdicts['c']).toBe('forked');
  fork = '';
  c.rpc['commit'] = a.rpc['commit'];
  expect((await world.go(6)).verdicts['c']).toBe('ok');
  expect(world.parts.pool.usable()).toHaveLength(3);
});

test('agreement: two endpoints that differ are disputed, because there is no majority', async () => {
  const scene = { height: () => 0n };
  const world = watch({ a: endpointAt(() => scene.height()), b: endpointAt(() => scene.height(), 'F') });
  scene.height = () => world.height();
  expect((await world.go(2)).verdicts).toEqual({ a: 'disputed', b: 'disputed' });
});

test('agreement: an endpoint whose chain id changes between polls is rejected, and its data is not used', async () => {
  const scene = { height: () => 0n };
  const [a, b] = [endpointAt(() => scene.height()), endpointAt(() => scene.height())];
  const world = watch({ a, b });
  scene.height = () => world.height();
  expect((await world.go(2)).verdicts).toEqual({ a: 'ok', b: 'ok' });
  a.rpc['status'] = () => statusResult(9_999n, start, 'hub-test-2');
  const { reading, verdicts } = await world.go(1);
  expect(verdicts).toEqual({ a: 'wrong_chain', b: 'ok' });
  expect(reading.chainIds.get('a')).toBe('hub-test-2');
  expect(world.parts.pool.usable().map(({ name }) => name)).toEqual(['b']);
});

test('agreement: first report of an endpoint while others are queried: the verdict uses its chain id', async () => {
  const [right, wrong] = [endpointAt(() => 1_000n), endpointAt(() => 1_000n)];
  wrong.rpc['status'] = () => statusResult(5n, start, 'hub-test-2');
  const { parts } = watch({ right, wrong });
  const [first, second] = endpointStatus.targets(parts.config);
  if (first === undefined || second === undefined) throw new Error('expected two targets');
  await endpointStatus.collect(first, parts);
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    right.queries['stack.upgrade.v1beta1.Query/CurrentPlan'] = () => {
      resolve();
      return new Promise((plan) => (answer = () => plan({ plan: undefined })));
    };
  });
  const collected = agreement.collect(networkTarget, parts);
  await asked;
  await endpointStatus.collect(second, parts);
  answer();
  const { endpoints, chainIds } = await collected;
  expect(endpoints.get('wrong')).toBe('wrong_chain');
  expect(chainIds.get('wrong')).toBe('hub-test-2');
});

test('agreement: a current status with a state 22,000 blocks behind is reported, and that state is not used', async () => {
  const split = endpointAt(() => 50_000n, '', 50_000n);
  const both = fakeEndpoint(['grpc', 'rpc']);
  Object.assign(both.rpc, split.rpc);
  both.queries['hub.node.v3.QueryService/QueryParams'] = {};
  both.height = 28_000n;
  const world = watch({ both, other: endpointAt(() => 50_000n, '', 50_000n) });
  expect((await world.go(1)).verdicts).toEqual({ both: 'state_behind', other: 'unknown' });
  const from = await world.parts.pool.read('x', world.parts.signal, (source) =>
    Promise.resolve({ height: undefined, from: `${source.endpoint}/${source.transport}` }),
  );
  expect(from.from).toBe('other/abci');
});

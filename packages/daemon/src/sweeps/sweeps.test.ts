import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint } from '../../test/fake-endpoint.js';
import { testParts } from '../../test/parts.js';
import {
  blockMs,
  emptyPopulation,
  lease,
  nodeSession,
  type Population,
  servePopulation,
  subscriptionSession,
} from '../../test/population.js';
import { allSweeps } from './index.js';
import { createSweepStore } from './sweep-store.js';
import { createSweeps } from './sweeps.js';

const getBlockByHeight = 'stack.base.bft.v1beta1.Service/GetBlockByHeight';
const hourMs = 3_600_000;
const quarterMs = 900_000;

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

interface WorldOptions {
  readonly roles?: Readonly<Record<string, 'own' | 'archive'>>;
  readonly more?: string;
}

/** Sweeps of fake endpoints on a clock that the test advances. */
const worldOf = (
  fakes: Readonly<Record<string, FakeEndpoint>>,
  { roles = { own: 'own' }, more = '' }: WorldOptions = {},
) => {
  const parts = testParts(fakes, { roles, more });
  const stop = new AbortController();
  const reportHeads = (timeMs = parts.clock.nowMs()): void => {
    for (const [name, { height }] of Object.entries(fakes))
      parts.pool.report(name, { height, timeMs, chainId: 'hub-test', catchingUp: false }, new Set());
  };
  reportHeads();
  let rounds = 0;
  const start = () => createSweeps({ ...parts, store: createSweepStore(parts.store) }, () => (rounds += 1));
  const lines = (sweeps: ReturnType<typeof start>): string[] =>
    sweeps.view.samples().map(({ family, labels, value }) => `${family.name}{${labels.join(',')}} ${value}`);
  const figure = async (metric: 'sweepRestarts' | 'sweepPages' | 'sweepLastComplete' | 'sweepPause' | 'pollsSkipped') =>
    (await parts.own[metric].get()).values.map(({ labels, value }) => [...Object.values(labels), value]);
  /** Runs the job, and advances the clock while it waits. */
  const run = async ({ job }: ReturnType<typeof start>, stepMs = 500): Promise<void> => {
    const state = { isOver: false };
    const running = job?.run(stop.signal).finally(() => (state.isOver = true));
    await settle();
    while (!state.isOver) {
      parts.clock.advance(stepMs);
      await settle();
    }
    await running;
  };
  return { ...parts, start, run, lines, figure, reportHeads, stop, rounds: () => rounds };
};

const smallPopulation: Population = {
  nodes: [{ status: 1 }, { status: 1 }, { status: 3 }],
  providers: [{ status: 1 }, { status: 3 }],
  plans: [{ status: 1 }],
  subscriptions: [{ status: 1 }, { status: 2 }, { status: 1 }],
  swaps: [{}, {}],
  deposits: [
    { coins: [{ denom: 'udvpn', amount: '245' }] },
    { coins: [{ denom: 'ibc/X', amount: '9000000000000000000000' }] },
  ],
  leases: [lease(1), lease(2, { policy: 0, hours: 24n })],
  sessions: [nodeSession(1, {}), nodeSession(2, { status: 2, quote: '0' }), subscriptionSession(3)],
};

test('sweeps: complete lists are counted from their records, all at one height', async () => {
  const own = fakeEndpoint();
  const asked = servePopulation(
    own,
    () => smallPopulation,
    () => {
      own.height += 1n;
      return undefined;
    },
  );
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(world.lines(sweeps)).toEqual([
    'hub_deposit_amount{udvpn} 245',
    'hub_deposit_amount{other} 9e+21',
    'hub_leases{unspecified} 1',
    'hub_leases{if_lesser} 0',
    'hub_leases{if_lesser_or_equal} 0',
    'hub_leases{if_equal} 0',
    'hub_leases{if_not_equal} 0',
    'hub_leases{if_greater} 0',
    'hub_leases{if_greater_or_equal} 0',
    'hub_leases{always} 1',
    'hub_leases_ending{1h} 0',
    'hub_leases_ending{6h} 0',
    'hub_leases_ending{24h} 0',
    'hub_leases_ending{7d} 0',
    'hub_lease_committed_amount{udvpn} 231',
    'hub_nodes{active} 2',
    'hub_nodes{inactive} 1',
    'hub_plans{active} 1',
    'hub_plans{inactive} 0',
    'hub_providers{active} 1',
    'hub_providers{inactive} 1',
    'hub_sessions{node,active} 1',
    'hub_sessions{node,inactive_pending} 1',
    'hub_sessions{subscription,active} 1',
    'hub_sessions{subscription,inactive_pending} 0',
    'hub_session_live_bytes{node,download} 2003',
    'hub_session_live_bytes{node,upload} 23',
    'hub_session_live_bytes{subscription,download} 5',
    'hub_session_live_bytes{subscription,upload} 3',
    'hub_subscriptions{active} 2',
    'hub_subscriptions{inactive_pending} 1',
    'hub_swaps{} 2',
    'hub_deposit_difference_amount{udvpn} 0',
    'hub_deposit_difference_amount{other} 9e+21',
  ]);
  expect(new Set(sweeps.view.states().map(({ last }) => last?.height))).toEqual(new Set([101n]));
  expect(asked.map(({ height }) => height)).toEqual([undefined, ...asked.slice(1).map(() => 101n)]);
  expect(world.rounds()).toBe(1);
});

test('sweeps: a list is requested by key, one page at a time, without count and offset', async () => {
  const own = fakeEndpoint();
  let open = 0;
  const nodes = Array.from({ length: 23 }, () => ({ status: 1 }));
  const asked = servePopulation(
    own,
    () => ({ ...emptyPopulation, nodes }),
    async () => {
      open += 1;
      expect(open).toBe(1);
      await Promise.resolve();
      open -= 1;
      return undefined;
    },
  );
  const world = worldOf({ own }, { more: 'sweeps: {page_size: 5}' });
  await world.run(world.start());
  const pages = asked.filter(({ list }) => list === 'nodes').map(({ pagination }) => pagination);
  expect(pages).toEqual(
    [5, 10, 15, 20].reduce<object[]>(
      (all, key) => [...all, { key: Buffer.from(String(key)), limit: 5n }],
      [{ limit: 5n }],
    ),
  );
  expect(await world.figure('sweepPages')).toContainEqual(['nodes', 5]);
});

test('sweeps: on a schedule, from its first time on; missed times run late and once, also after a restart', async () => {
  const own = fakeEndpoint();
  const asked = servePopulation(own, () => emptyPopulation);
  // The clock of the test begins at 08:00 in UTC, 09:00 in Berlin.
  const world = worldOf({ own }, { more: 'sweeps: {cron: "30 9,18 * * *", zone: Europe/Berlin}' });
  let sweeps = world.start();
  const roundsAfter = async (ms: number): Promise<number> => {
    asked.length = 0;
    world.clock.advance(ms);
    world.reportHeads();
    await world.run(sweeps);
    return asked.filter(({ list }) => list === 'nodes').length;
  };
  expect(sweeps.job?.everyMs).toBe(60_000);
  expect(await roundsAfter(0)).toBe(0);
  expect(await roundsAfter(hourMs / 2 - 1)).toBe(0);
  expect(await roundsAfter(1)).toBe(1);
  expect(await roundsAfter(60_000)).toBe(0);
  // Three days later, between two of its times.
  expect(await roundsAfter(72 * hourMs)).toBe(1);
  sweeps = world.start();
  expect(await roundsAfter(60_000)).toBe(0);
  expect(await roundsAfter(9 * hourMs)).toBe(1);
});

test('sweeps: counts come from the records, not from the total or the status filter', async () => {
  const own = fakeEndpoint();
  servePopulation(own, () => ({ ...emptyPopulation, nodes: Array.from({ length: 733 }, () => ({ status: 1 })) }));
  const list = own.queries['hub.node.v3.QueryService/QueryNodes'] as (
    ...all: unknown[]
  ) => Promise<{ pagination: object }>;
  own.queries['hub.node.v3.QueryService/QueryNodes'] = async (...all: unknown[]) => {
    const page = await list(...all);
    return { ...page, pagination: { ...page.pagination, total: 1n } };
  };
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(world.lines(sweeps).filter((line) => line.startsWith('hub_nodes'))).toEqual([
    'hub_nodes{active} 733',
    'hub_nodes{inactive} 0',
  ]);
});

test('sweeps: ending leases are counted by chain time; longer terms include the shorter ones', async () => {
  const own = fakeEndpoint();
  const world = worldOf({ own });
  const now = world.clock.nowMs();
  const endsIn = (hours: number) =>
    lease(Math.ceil(hours), { hours: 1n, maxHours: 24n, startMs: now + (hours - 24) * hourMs });
  servePopulation(own, () => ({ ...emptyPopulation, leases: [0.5, 1, 5, 20, 100, 200].map(endsIn) }));
  const sweeps = world.start();
  await world.run(sweeps);
  expect(world.lines(sweeps).filter((line) => line.startsWith('hub_leases_ending'))).toEqual([
    'hub_leases_ending{1h} 2',
    'hub_leases_ending{6h} 3',
    'hub_leases_ending{24h} 4',
    'hub_leases_ending{7d} 5',
  ]);
});

test('sweeps: ending leases are counted by the time of the block that is read, not of an older head', async () => {
  const own = fakeEndpoint();
  const world = worldOf({ own });
  world.reportHeads(blockMs(own.height));
  const read = own.height + 10n;
  const endsAfter = (ms: number) => lease(1, { hours: 1n, maxHours: 24n, startMs: blockMs(read) + ms - 24 * hourMs });
  const leases = [hourMs, hourMs + 1, 6 * hourMs].map(endsAfter);
  let headers = 0;
  servePopulation(own, () => ({ ...emptyPopulation, leases }));
  const header = own.queries[getBlockByHeight] as (request: { readonly height: bigint }) => object;
  own.queries[getBlockByHeight] = (request: { readonly height: bigint }) => {
    headers += 1;
    return header(request);
  };
  own.height = read;
  const sweeps = world.start();
  await world.run(sweeps);
  expect(sweeps.view.states().map(({ last }) => last?.height)).toEqual(allSweeps.map(() => read));
  expect(world.lines(sweeps).filter((line) => line.startsWith('hub_leases_ending'))).toEqual([
    'hub_leases_ending{1h} 1',
    'hub_leases_ending{6h} 3',
    'hub_leases_ending{24h} 3',
    'hub_leases_ending{7d} 3',
  ]);
  expect(headers).toBe(1);
});

test('sweeps: third-party endpoints are queried only if named, and unnamed ones never', async () => {
  const [own, other] = [fakeEndpoint(), fakeEndpoint()];
  const asked = servePopulation(other, () => smallPopulation);
  const off = worldOf({ own, other }, { roles: {} });
  expect(off.start()).toMatchObject({ job: undefined, view: { isOn: false } });
  const broken = worldOf({ own, other });
  const failing = broken.start();
  await broken.run(failing);
  expect(asked).toEqual([]);
  expect(failing.view.states()[0]).toMatchObject({ last: undefined, failure: { text: /no reply/ } });
  const named = worldOf({ own, other }, { roles: {}, more: 'sweeps: {endpoints: [other]}' });
  const sweeps = named.start();
  await named.run(sweeps);
  expect(sweeps.view.states()[0]?.last?.endpoint).toBe('other');
  expect(worldOf({ own }, { more: 'sweeps: {enabled: false}' }).start().job).toBeUndefined();
});

test('sweeps: a failed sweep keeps the last counts and their age', async () => {
  const own = fakeEndpoint();
  let isDown = false;
  servePopulation(
    own,
    () => smallPopulation,
    ({ list }) =>
      isDown && list === 'leases'
        ? new HubError({ code: 'decode', message: 'no lease', transport: 'grpc' })
        : undefined,
  );
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  const before = world.lines(sweeps);
  const readMs = world.clock.nowMs();
  isDown = true;
  own.height = 300n;
  world.clock.advance(quarterMs);
  world.reportHeads();
  await world.run(sweeps);
  expect(world.lines(sweeps)).toEqual(before);
  const state = (name: string) => sweeps.view.states().find(({ collection }) => collection === name);
  expect(state('leases')).toMatchObject({
    last: { height: 100n, completedMs: readMs },
    failure: { text: 'no lease', sinceMs: world.clock.nowMs() },
  });
  // The other lists are not delayed by it.
  expect(state('sessions')).toMatchObject({ last: { height: 300n }, failure: undefined });
  expect(await world.figure('sweepLastComplete')).toContainEqual(['leases', readMs / 1_000]);
  // Lists from two heights cannot be compared: the last comparison remains.
  expect(sweeps.view.conservation()?.height).toBe(100n);
});

test('sweeps: a height pruned during the read is abandoned, counted, and read again at another height', async () => {
  const own = fakeEndpoint();
  let pages = 0;
  servePopulation(
    own,
    () => smallPopulation,
    ({ list, height }) => {
      pages += 1;
      if (list !== 'sessions' || height === 200n) return undefined;
      own.height = 200n;
      return new HubError({ code: 'height_not_retained', message: `state of ${height} is gone` });
    },
  );
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(sweeps.view.states().every(({ last }) => last?.height === 200n)).toBe(true);
  expect(await world.figure('sweepRestarts')).toEqual([['sessions', 'height_pruned', 1]]);
  // All lists before it are read again at the new height.
  expect(pages).toBe(5 + 1 + 8);
});

test('sweeps: a height that is always pruned ends the round, and earlier lists are stored', async () => {
  const own = fakeEndpoint();
  servePopulation(
    own,
    () => smallPopulation,
    ({ list }) => (list === 'leases' ? new HubError({ code: 'height_not_retained', message: 'gone' }) : undefined),
  );
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(await world.figure('sweepRestarts')).toEqual([['leases', 'height_pruned', 3]]);
  expect(sweeps.view.states().map(({ last, failure }) => [last !== undefined, failure?.text])).toEqual([
    [true, undefined],
    [false, 'gone'],
    ...Array.from({ length: 6 }, () => [true, undefined]),
  ]);
});

test('sweeps: an endpoint lost during the read is replaced by another own endpoint', async () => {
  const [own, spare] = [fakeEndpoint(), fakeEndpoint()];
  servePopulation(
    own,
    () => smallPopulation,
    ({ list }) =>
      list === 'plans' ? new HubError({ code: 'unavailable', message: 'cut', transport: 'grpc' }) : undefined,
  );
  servePopulation(spare, () => smallPopulation);
  const world = worldOf({ own, spare }, { roles: { own: 'own', spare: 'own' } });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(new Set(sweeps.view.states().map(({ last }) => last?.endpoint))).toEqual(new Set(['spare']));
  expect(await world.figure('sweepRestarts')).toEqual([['plans', 'endpoint_lost', 1]]);
  expect((await world.figure('sweepPause'))[0]?.slice(0, 1)).toEqual(['own']);
});

test('sweeps: an endpoint with new blocks and an old state is not counted', async () => {
  const own = fakeEndpoint();
  servePopulation(own, () => smallPopulation);
  const world = worldOf({ own });
  own.height = 200n;
  world.reportHeads();
  own.height = 100n;
  const sweeps = world.start();
  await world.run(sweeps);
  expect(sweeps.view.states()[0]).toMatchObject({
    last: undefined,
    failure: { text: 'own answers from the state of 100 while the head is 200' },
  });
});

test('sweeps: pages with a height other than the requested one are rejected', async () => {
  const own = fakeEndpoint();
  servePopulation(own, () => smallPopulation);
  const call = own.connection.grpc?.call.bind(own.connection.grpc);
  if (own.connection.grpc && call)
    // A node behind a proxy that drops the height.
    Object.assign(own.connection.grpc, {
      call: async (method: never, request: never, options: object) => ({
        ...((await call(method, request, { ...options, height: undefined })) as object),
        height: (own.height += 1n),
      }),
    });
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(sweeps.view.states()[1]).toMatchObject({
    last: undefined,
    failure: { text: /^the list of providers cannot be counted: its pages are not of one height$/ },
  });
});

test('sweeps: counts survive a kill, and nothing is read again before its time', async () => {
  const own = fakeEndpoint();
  let isHanging = false;
  const asked = servePopulation(
    own,
    () => smallPopulation,
    ({ list }) => (isHanging && list === 'sessions' ? new Promise<undefined>(() => undefined) : undefined),
  );
  const world = worldOf({ own });
  const first = world.start();
  await world.run(first);
  const [before, count] = [world.lines(first), asked.length];

  const second = world.start();
  expect(world.lines(second)).toEqual(before);
  world.clock.advance(quarterMs / 2);
  await world.run(second);
  expect(asked).toHaveLength(count);
  world.clock.advance(quarterMs / 2);
  own.height = 200n;
  world.reportHeads();
  // Killed in the middle of the list of sessions: the lists before it are new, and this one is unchanged.
  isHanging = true;
  void second.job?.run(world.stop.signal);
  await settle();
  const third = world.start();
  expect(third.view.states().map(({ last }) => last?.height)).toEqual([
    ...Array.from({ length: 5 }, () => 200n),
    ...Array.from({ length: 3 }, () => 100n),
  ]);
  expect(world.lines(third)).toEqual(before.filter((line) => !line.includes('difference')));
  expect(third.view.conservation()).toBeUndefined();
  isHanging = false;
  await world.run(third);
  expect(third.view.states().at(-1)?.last?.height).toBe(100n);
  world.clock.advance(quarterMs);
  world.reportHeads();
  await world.run(third);
  expect(third.view.states().at(-1)?.last?.height).toBe(200n);
});

test('sweeps: a stop ends the read and its waits, and stores no partial list', async () => {
  const own = fakeEndpoint();
  servePopulation(
    own,
    () => smallPopulation,
    () => new HubError({ code: 'timeout', message: 'slow', transport: 'grpc' }),
  );
  const world = worldOf({ own });
  const sweeps = world.start();
  const running = sweeps.job?.run(world.stop.signal);
  await settle();
  world.stop.abort();
  await running;
  expect(sweeps.view.states().every(({ last, failure }) => last === undefined && failure === undefined)).toBe(true);
  expect(world.clock.pending()).toBe(0);
});

test('sweeps: deposits are compared with sessions and leases, to the last unit', async () => {
  const own = fakeEndpoint();
  let amount = 9_007_199_254_740_993_000n;
  const population = (): Population => ({
    ...emptyPopulation,
    deposits: [{ coins: [{ denom: 'udvpn', amount: String(amount) }] }],
    leases: [lease(1, { hours: 1n, maxHours: 4n, quote: '3000000000000000000' })],
    sessions: [nodeSession(1, { gigabytes: 3n, quote: '2399751580331000' }), subscriptionSession(2)],
  });
  servePopulation(own, population);
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  const sums = { denom: 'udvpn', sessions: 7_199_254_740_993_000n, leases: 9_000_000_000_000_000_000n };
  expect(sweeps.view.conservation()).toEqual({
    height: 100n,
    balances: [{ ...sums, deposits: amount, difference: 0n }],
  });
  amount += 1n;
  world.clock.advance(quarterMs);
  world.reportHeads();
  await world.run(sweeps);
  expect(sweeps.view.conservation()?.balances).toEqual([{ ...sums, deposits: amount, difference: 1n }]);
});

test('sweeps: with a session of an unknown kind the expected deposits are unknown, so none are reported', async () => {
  const own = fakeEndpoint();
  const later = { typeUrl: '/hub.later.v9.Session', raw: new Uint8Array() };
  const population = {
    ...emptyPopulation,
    deposits: [{ coins: [{ denom: 'udvpn', amount: '5' }] }],
    sessions: [later],
  };
  servePopulation(own, () => population);
  const world = worldOf({ own });
  const sweeps = world.start();
  await world.run(sweeps);
  expect(world.lines(sweeps)).toContain('hub_sessions{unknown,unknown} 1');
  expect(sweeps.view.conservation()).toBeUndefined();
  expect(world.lines(sweeps).some((line) => line.startsWith('hub_deposit_difference'))).toBe(false);
});

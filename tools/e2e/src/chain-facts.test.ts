import {
  connectTo,
  createChangeHistory,
  createEndpoint,
  createFailureLog,
  createHeartbeatHistory,
  createLogger,
  createOwnMetrics,
  createPool,
  depositTruth,
  effectWords,
  type EndpointConnection,
  feeGrants,
  openStore,
  oraclePrices,
  parameters,
  parseConfig,
  proposals,
  readHeartbeatFee,
  upgradeClock,
} from '@hubwatch/daemon/parts';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { expect, onTestFinished, test } from 'vitest';

/** Removes pagination: a recorded request is matched by its bytes, and these were recorded without a page. */
const asRecorded = <T>(service: string, request: T): T =>
  /^stack\.(?:gov|feegrant)\./.test(service) ? { ...request, pagination: undefined } : request;

/** The daemon's components on a devnode; every state is read at the same height as the recorded reads. */
const watching = async (devnode: Devnode, height: bigint, timeMs: number, more = '') => {
  const address = (url: string): string => url.replace(/^http:\/\//, '');
  const config = parseConfig(
    `endpoints: [{name: own, role: own, grpc: "${address(devnode.grpc)}", rpc: "${devnode.rpc}"}]\n${more}`,
  );
  const [configured] = config.endpoints;
  if (configured === undefined) throw new Error('no endpoint');
  const open = connectTo(configured, 5_000);
  const grpc = open.grpc;
  if (grpc === undefined) throw new Error('no gRPC');
  const pinned: EndpointConnection = {
    ...open,
    grpc: {
      ...grpc,
      call: (method, request, options) =>
        grpc.call(method, asRecorded(method.service, request), { ...options, height: options?.height ?? height }),
    },
    close: () => open.close(),
  };
  const clock = { nowMs: () => timeMs, monotonicMs: () => performance.now(), setTimeout: () => () => undefined };
  const own = createOwnMetrics();
  const failures = createFailureLog(createLogger('silent'));
  const endpoint = createEndpoint(configured, pinned, 5_000, clock, own, failures);
  const pool = createPool([endpoint], own, clock, {});
  const { nodeInfo } = await endpoint.rpc('status', {}, { signal: new AbortController().signal });
  pool.report('own', { chainId: nodeInfo.network, height, timeMs, catchingUp: false }, new Set());
  const store = openStore(':memory:');
  onTestFinished(async () => {
    store.close();
    await endpoint.close();
  });
  const { signal } = new AbortController();
  const context = {
    pool,
    config,
    clock,
    signal,
    history: createHeartbeatHistory(store),
    changes: createChangeHistory(store),
    moment: { head: pool.head(), clockMs: timeMs },
    previous: undefined,
  };
  return { context: context as never, endpoint, pool, config, signal };
};

const recorded = async (): Promise<Devnode> => {
  const devnode = await startDevnode({ mode: 'recorded', node: 'archive' });
  onTestFinished(() => devnode.close());
  return devnode;
};

const [network] = parameters.targets(parseConfig('endpoints: [{name: own, grpc: "h:1"}]'));
if (network === undefined) throw new Error('no target');

test('chain facts: decodes parameters and proposals of the recorded node and distinguishes their states', async () => {
  const { context } = await watching(await recorded(), 901_890n, Date.parse('2026-11-27T23:10:00Z'));
  const { texts } = await parameters.collect(network, context);
  expect(texts.get('node')?.['status_timeout']).toBe('3600s');
  expect(texts.get('lease')).toEqual({ max_hours: '720', min_hours: '1', staking_share: '0.200000000000000000' });
  expect([...texts.keys()]).toEqual(['node', 'session', 'subscription', 'lease', 'provider', 'oracle', 'swap']);
  const { open } = await proposals.collect(network, context);
  const words = Object.fromEntries(
    open.map(({ id, stage, effects }) => [
      `${id} ${stage}`,
      effects.map((effect) => effectWords(effect, texts, 901_890n)).join('\n'),
    ]),
  );
  expect(words['3 deposit']).toContain('node.min_hourly_prices: at least 1 ');
  expect(words['3 deposit']).toContain('→ no denom is allowed');
  expect(words['3 deposit']).not.toContain('status_timeout');
  expect(words['1 voting']).toContain('adds udvpn to the oracle');
  expect(words['2 voting']).toContain('replaced at height 905000, 3110 blocks from now: upgrade v13_0_0');
});

test('chain facts: dates the recorded plan by the longest window that the recorded node retains', async () => {
  const { context } = await watching(await recorded(), 904_725n, Date.parse('2026-11-28T20:00:00Z'));
  const { plan } = await upgradeClock.collect(network, context);
  expect(plan).toMatchObject({ name: 'v13_0_0', height: 905_000n });
  expect(plan?.pace?.blocks).toBe(904_725n - 901_801n);
  const grants = await feeGrants.collect(
    { key: 'sent1xatqw5g354s62sjhmjeqv7zv4ge67gnaa8jtry', title: '', alias: '', minimum: new Map(), denoms: [] },
    context,
  );
  expect(grants.grants).toMatchObject([
    { granter: 'sent1rg2gfcm76nz8vcwkvdhjzpdhkqydyav23afxj8', expiresMs: undefined, paysHeartbeats: false },
  ]);
});

test("chain facts: the recorded node's assets have no price, which does not fire an alert", async () => {
  const { context } = await watching(await recorded(), 903_290n, Date.parse('2026-11-28T10:00:00Z'));
  const reading = await oraclePrices.collect(network, context);
  expect(reading.prices.map(({ priceHeight }) => priceHeight)).toEqual([0n, 0n]);
  const [rule] = oraclePrices.rules ?? [];
  expect(rule?.judge(network, reading, { head: { height: 904_000n, timeMs: 0 }, clockMs: 0 }).state).toBe('ok');
});

test.each(['chain', 'day'] as const)(
  'chain facts: deposits on %s equal the sum of sessions and leases',
  async (chain) => {
    const devnode = await startDevnode({ mode: 'moving', chain, speed: 'manual', shiftTo: 'none', from: 904_600 });
    onTestFinished(() => devnode.close());
    let compared = 0;
    for (const height of [901_950n, 902_600n, 903_400n, 904_100n, 904_500n]) {
      const { context, endpoint, signal } = await watching(devnode, height, Date.now());
      const { message } = await endpoint.query('grpc', queryDeposits, {}, { height, signal });
      for (const { address } of message.deposits) {
        const { sums, isPartial } = await depositTruth.collect({ key: address, title: address }, context);
        expect(isPartial).toBe(false);
        for (const [denom, { held, expected }] of sums) {
          expect(expected, `${denom} of ${address} at ${height}`).toBe(held);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(10);
  },
);

test('chain facts: finds the fee of a recorded heartbeat by its block time', async () => {
  const devnode = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', shiftTo: 'none', from: 902_400 });
  onTestFinished(() => devnode.close());
  const { endpoint, signal } = await watching(devnode, 902_400n, 0);
  const timeOf = async (height: bigint): Promise<number> => {
    const { header } = await endpoint.rpc('header', { height }, { signal });
    return Number(header?.time?.seconds) * 1_000 + (header?.time?.nanos ?? 0) / 1e6;
  };
  const head = { height: 902_400n, timeMs: await timeOf(902_400n) };
  const fee = await readHeartbeatFee(
    [endpoint],
    head,
    'sentnode1w6ssucq0rlmu6r460tfg3zvk43g4pphu50n8pa',
    await timeOf(901_824n),
    signal,
  );
  expect(fee).toEqual({ amount: 100_000n, denom: 'udvpn', payer: 'sent1w6ssucq0rlmu6r460tfg3zvk43g4pphuzej7yt' });
});

import { expect, test } from 'vitest';
import { fakeEndpoint, page, time } from '../../../test/fake-endpoint.js';
import { hourMs, priceOf } from '../../../test/lease-records.js';
import { nodeAddress, nodeAddressOf, providerAddress, testParts } from '../../../test/parts.js';
import { providerTargets } from '../provider/watched-providers.js';
import { watchedPlans } from './watched-plans.js';

const service = 'hub.subscription.v3.QueryService';
const plan = (id: bigint, changes: object = {}) => ({
  id,
  provAddress: providerAddress,
  bytes: '1000',
  duration: { seconds: 3_600n, nanos: 0 },
  prices: [priceOf(50)],
  private: false,
  status: 1,
  statusAt: time(0),
  ...changes,
});
const subscription = (id: bigint, changes: object = {}) => ({
  id,
  accAddress: 'sent1x',
  planId: 1n,
  price: priceOf(50),
  renewalPricePolicy: 7,
  status: 1,
  inactiveAt: time(10 * hourMs),
  ...changes,
});

const startWorld = () => {
  const fake = fakeEndpoint();
  const parts = testParts({ own: fake });
  const asked: string[] = [];
  const world = { plans: [plan(1n)], nodes: [nodeAddress], subscriptions: [subscription(1n)] as object[] };
  const say = (method: string, reply: () => unknown) => {
    fake.queries[method] = (_request: unknown, height: bigint | undefined) => {
      asked.push(`${method.replace(/^.*\//, '')} ${height ?? 'newest'}`);
      return reply();
    };
  };
  say('hub.plan.v3.QueryService/QueryPlansForProvider', () => page('plans', world.plans));
  say('hub.node.v3.QueryService/QueryNodesForPlan', () =>
    page(
      'nodes',
      world.nodes.map((address) => ({ address })),
    ),
  );
  say(`${service}/QuerySubscriptionsForPlan`, () => page('subscriptions', world.subscriptions));
  say(`${service}/QueryParams`, () => ({ params: { stakingShare: '0.200000000000000000' } }));
  say('hub.oracle.v1.QueryService/QueryAssets', () => page('assets', []));
  const [target] = providerTargets(parts.config);
  if (target === undefined) throw new Error('no provider is watched');
  return {
    world,
    asked,
    fake,
    look: async (headMs: number) => {
      fake.height += 1n;
      const head = { height: fake.height, timeMs: headMs };
      const reading = await watchedPlans.collect(target, { ...parts, moment: { ...parts.moment, head } });
      const lines = watchedPlans
        .metrics(target, reading)
        .map(({ family, labels, value }) => `${family.name}{${labels.join()}} ${value}`);
      return { reading, lines };
    },
  };
};

test('watched plans: status, prices, nodes, subscription sums and upcoming renewals', async () => {
  const { world, look, asked } = startWorld();
  world.subscriptions = [
    subscription(1n),
    subscription(2n, { inactiveAt: time(50 * hourMs) }),
    subscription(3n, { inactiveAt: time(9_999 * hourMs) }),
    subscription(4n, { renewalPricePolicy: 0 }),
    subscription(5n, { renewalPricePolicy: 1 }),
    subscription(6n, { status: 2 }),
  ];
  const { lines } = await look(hourMs);
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
    `hub_plan_info{1,${providerAddress},false} 1`,
    'hub_plan_status{1,active} 1',
    'hub_plan_price{1,udvpn} 50',
    'hub_plan_nodes{1} 1',
    'hub_plan_subscriptions{1,active} 5',
    'hub_plan_subscriptions{1,inactive_pending} 1',
    'hub_plan_renewals{1,24h} 2',
    'hub_plan_renewals{1,7d} 3',
    `hub_provider_subscription_income_amount{${providerAddress},udvpn,24h} 40`,
    `hub_provider_subscription_income_amount{${providerAddress},udvpn,7d} 80`,
  ]);
  expect(asked).toEqual([
    'QueryPlansForProvider newest',
    'QueryParams 101',
    'QueryAssets 101',
    'QueryNodesForPlan 101',
    'QuerySubscriptionsForPlan 101',
  ]);
});

test('watched plans: an inactive plan has no income, and a count above the limit is not reported as a number', async () => {
  const { world, look, fake } = startWorld();
  world.plans = [plan(1n, { status: 3 })];
  expect((await look(hourMs)).lines.filter((line) => line.startsWith('hub_provider'))).toEqual([]);
  let key = 0;
  fake.queries[`${service}/QuerySubscriptionsForPlan`] = () => {
    key += 1;
    return page('subscriptions', [subscription(1n)], Uint8Array.of(key >> 8, key & 255));
  };
  const { lines, reading } = await look(2 * hourMs);
  expect(key).toBe(200);
  expect(lines.filter((line) => /subscription|renewals/.test(line))).toEqual([]);
  expect(lines).toContain('hub_plan_nodes{1} 1');
  expect(reading.plans[0]?.subscriptions).toMatchObject({
    state: 'no_answer',
    text: expect.stringContaining('more than 200'),
  });
});

test('watched plans: a node that left a plan is reported for a day, even if it or another node is linked again', async () => {
  const { world, look } = startWorld();
  const lost = async (headMs: number) => (await look(headMs)).reading.plans[0]?.lost.map(({ node }) => node);
  world.nodes = [nodeAddress, nodeAddressOf(7)];
  expect(await lost(0)).toEqual([]);
  world.nodes = [nodeAddressOf(7)];
  expect(await lost(hourMs)).toEqual([nodeAddress]);
  world.nodes = [nodeAddressOf(7), nodeAddressOf(8)];
  expect(await lost(2 * hourMs)).toEqual([nodeAddress]);
  expect(await lost(26 * hourMs)).toEqual([]);
  world.nodes = [];
  expect(await lost(27 * hourMs)).toEqual(expect.arrayContaining([nodeAddressOf(7), nodeAddressOf(8)]));
  world.nodes = [nodeAddressOf(7)];
  expect(await lost(28 * hourMs)).toEqual([nodeAddressOf(8)]);
});

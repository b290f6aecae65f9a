import { HubError } from '@hubwatch/client';
import { withPrefix } from '@hubwatch/client/address';
import { expect, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint, page, time } from '../../../test/fake-endpoint.js';
import { hourMs, priceOf } from '../../../test/lease-records.js';
import { nodeAddressOf, testConfig, testParts } from '../../../test/parts.js';
import { accountSubscriptions, subscriberTargets } from './account-subscriptions.js';
import { renewalBlocked } from './renewal-blocked.js';

const [payer = '', sharer = ''] = [1, 2].map((index) => withPrefix(nodeAddressOf(index), 'sent'));
const stranger = withPrefix(nodeAddressOf(3), 'sent');

const subscription = (id: bigint, changes: object = {}) => ({
  id,
  accAddress: payer,
  planId: 3n,
  price: priceOf(50),
  renewalPricePolicy: 7,
  status: 1,
  inactiveAt: time(10 * hourMs),
  ...changes,
});

interface World {
  readonly subscriptions: readonly object[];
  readonly balance?: number;
  readonly sharing?: readonly string[];
  readonly plan?: unknown;
}

const look = async ({ subscriptions, balance = 100, sharing = [payer], plan }: World, of = payer, kinds?: 'rest') => {
  const fake: FakeEndpoint = fakeEndpoint(kinds === undefined ? ['grpc'] : [kinds]);
  Object.assign(fake.queries, {
    'hub.subscription.v3.QueryService/QuerySubscriptionsForAccount': page('subscriptions', subscriptions),
    'hub.subscription.v2.QueryService/QueryAllocations': ({ id }: { id: bigint }) =>
      page(
        'allocations',
        sharing.map((address) => ({ id, address, grantedBytes: '1000', utilisedBytes: '1500' })),
      ),
    'hub.plan.v3.QueryService/QueryPlan': plan ?? { plan: { id: 3n, status: 1, prices: [priceOf(60)] } },
    'hub.oracle.v1.QueryService/QueryAssets': page('assets', []),
    'stack.bank.v1beta1.Query/SpendableBalances': page('balances', [{ denom: 'udvpn', amount: String(balance) }]),
  });
  const parts = testParts({ own: fake });
  const config = {
    ...testConfig(),
    watch: { ...testConfig().watch, accounts: [payer, sharer].map((address) => ({ address })) },
  };
  const target = subscriberTargets(config).find(({ key }) => key === of);
  if (target === undefined) throw new Error(`${of} is not watched`);
  const moment = { ...parts.moment, head: { height: 100n, timeMs: 0 } };
  const reading = await accountSubscriptions.collect(target, { ...parts, config, moment });
  const lines = accountSubscriptions
    .metrics(target, reading)
    .map(({ family, labels, value }) => `${family.name.replace('hub_subscription_', '')}{${labels.join()}} ${value}`);
  return { lines, reading, verdict: renewalBlocked.judge(target, reading, moment) };
};

test('subscriptions: period, price, forecast and allocation of one that the account pays', async () => {
  const { lines, verdict } = await look({ subscriptions: [subscription(9n)] });
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
    `allocation_granted_bytes{9,${payer}} 1000`,
    `allocation_utilised_bytes{9,${payer}} 1500`,
    `info{9,${payer},3,udvpn,always} 1`,
    'status{9,active} 1',
    'price{9,udvpn} 50',
    'end_timestamp_seconds{9} 36000',
    'renewal_timestamp_seconds{9} 36000',
    'renewal_expected{9} 1',
  ]);
  expect(verdict).toMatchObject({ subject: payer, state: 'ok' });
});

test('subscriptions: reasons that prevent a renewal, and the balance left by earlier ones', async () => {
  const subscriptions = [
    subscription(2n),
    subscription(1n, { inactiveAt: time(9 * hourMs) }),
    subscription(4n, { renewalPricePolicy: 0 }),
    subscription(5n, { status: 2, renewalPricePolicy: 0 }),
  ];
  const { lines, verdict } = await look({ subscriptions });
  expect(lines.filter((line) => /^renewal_(expected|blocker)/.test(line))).toEqual([
    'renewal_expected{1} 1',
    'renewal_expected{2} 0',
    'renewal_blocker{2,balance_short} 1',
    'renewal_expected{4} 0',
    'renewal_blocker{4,policy_off} 1',
  ]);
  expect(lines.filter((line) => /^(end|renewal)_timestamp/.test(line))).toEqual([
    'end_timestamp_seconds{1} 32400',
    'renewal_timestamp_seconds{1} 32400',
    'end_timestamp_seconds{2} 36000',
    'renewal_timestamp_seconds{2} 36000',
    'end_timestamp_seconds{4} 36000',
  ]);
  expect(verdict).toMatchObject({
    state: 'firing',
    title: `${payer}: 1 subscription will not be renewed, the first ends at 1970-01-01 10:00:00 UTC`,
  });
  expect(verdict.text).toContain(
    '- subscription 2 of plan 3, at 1970-01-01 10:00:00 UTC: is cancelled: its account has 40 udvpn, and the next period costs 60\n',
  );
});

test('subscriptions: one shared by several watched accounts is reported once, allocations by each account', async () => {
  const shared = { subscriptions: [subscription(9n)], sharing: [payer, sharer] };
  const told = async (world: World, of: string) =>
    (await look(world, of)).lines.map((line) => line.replace(/[{ ].*/, ''));
  expect(await told(shared, sharer)).toEqual(['allocation_granted_bytes', 'allocation_utilised_bytes']);
  expect(await told(shared, payer)).toContain('info');
  const foreign = {
    ...shared,
    subscriptions: [subscription(9n, { accAddress: stranger })],
    sharing: [stranger, sharer],
  };
  expect(await told(foreign, sharer)).toContain('info');
  expect(await told(foreign, sharer)).not.toContain('renewal_expected');
  expect(await told({ ...foreign, sharing: [payer, sharer] }, sharer)).not.toContain('info');
  expect((await look(foreign, sharer)).verdict.state).toBe('ok');
});

test('subscriptions: a plan that cannot be read leaves the renewal open', async () => {
  const absent = new HubError({ code: 'not_found', message: 'no such plan' });
  const { lines, verdict } = await look({ subscriptions: [subscription(9n)], plan: absent });
  expect(lines.some((line) => line.startsWith('renewal_expected'))).toBe(false);
  expect(verdict).toMatchObject({ state: 'unknown' });
  const overRest = new HubError({ code: 'not_served', message: 'no route' });
  expect((await look({ subscriptions: [subscription(9n)], plan: overRest }, payer, 'rest')).verdict.state).toBe(
    'unknown',
  );
});

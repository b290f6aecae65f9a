import { HubError } from '@hubwatch/client';
import { withPrefix } from '@hubwatch/client/address';
import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { expect, test } from 'vitest';
import { fakeEndpoint, time } from '../../../test/fake-endpoint.js';
import { hourMs, leaseOf, leaseReplies, type LeaseWorld, subscriptionOf } from '../../../test/lease-records.js';
import { nodeAddress, nodeAddressOf, providerAddress, testParts } from '../../../test/parts.js';
import { nodeLeases } from '../node/node-leases.js';
import { leaseRenewals, renewalsTarget } from './lease-renewals.js';

const elsewhere = nodeAddressOf(7);

const look = async (world: LeaseWorld, headMs = 23 * hourMs, replies: Readonly<Record<string, unknown>> = {}) => {
  const fake = fakeEndpoint();
  const asked: { method: string; address: unknown; height: bigint | undefined }[] = [];
  Object.assign(
    fake.queries,
    leaseReplies(world, (method, { address }, height) => {
      asked.push({ method, address, height });
      fake.height += 1n;
    }),
    replies,
  );
  const parts = testParts({ own: fake });
  const head = { height: 100n, timeMs: headMs };
  const reading = await leaseRenewals.collect(renewalsTarget, { ...parts, moment: { ...parts.moment, head } });
  const said = [...reading.renewals.values()].map(({ lease, forecast, preconditions }) => {
    const failing = preconditions.filter(({ holds }) => holds !== true).map(({ sentence }) => sentence);
    return `${lease.id} ${forecast === undefined ? 'open' : forecast.renews ? 'renews' : 'ends'} ${failing.join('; ')}`.trim();
  });
  const lines = leaseRenewals
    .metrics(renewalsTarget, reading)
    .map(({ family, labels, value }) => `${family.name}{${labels.join()}} ${value}`);
  return { said, lines, asked };
};

test('renewals: data for all leases of one provider is read once, at one height', async () => {
  const leases = [1n, 2n, 3n].map((id) => leaseOf({ id }));
  const { asked } = await look({ leases, balances: { udvpn: 99_999 } });
  expect(asked.map(({ method }) => method)).toEqual([
    'QueryParams',
    'QueryAssets',
    'QueryLeasesForNode',
    'QueryProvider',
    'QueryLeasesForProvider',
    'SpendableBalances',
    'QueryNode',
  ]);
  expect(new Set(asked.slice(1).map(({ height }) => height))).toEqual(new Set([101n]));
  expect(asked[5]?.address).toMatch(/^sent1/);
});

test('renewals: providers of leases on a node are taken from the recent reading of the lease check', async () => {
  const fake = fakeEndpoint();
  const asked: string[] = [];
  Object.assign(
    fake.queries,
    leaseReplies({ leases: [leaseOf({ id: 1n })], balances: {} }, (method) => asked.push(method)),
  );
  const parts = testParts({ own: fake });
  const [target] = nodeLeases.targets(parts.config);
  if (target === undefined) throw new Error('no node is watched');
  const ofNode = () => asked.splice(0).filter((method) => method === 'QueryLeasesForNode').length;
  await nodeLeases.collect(target, parts);
  expect(ofNode()).toBe(1);
  const { renewals } = await leaseRenewals.collect(renewalsTarget, parts);
  expect([ofNode(), renewals.size]).toEqual([0, 1]);
  parts.clock.advance(2 * parts.config.poll.renewals);
  await leaseRenewals.collect(renewalsTarget, parts);
  expect(ofNode()).toBe(1);
});

test('renewals: a lease that renews has its cost, its payout and no blocker', async () => {
  const { lines } = await look({ leases: [leaseOf()], balances: { udvpn: 2_400, other: 1 } });
  const provider = providerAddress;
  expect(lines).toEqual([
    'hub_lease_renewal_expected{4} 1',
    'hub_lease_renewal_amount{4,udvpn} 2400',
    'hub_lease_next_payout_amount{4,udvpn,node} 80',
    'hub_lease_next_payout_amount{4,udvpn,stakers} 20',
    `hub_provider_balance_amount{${provider},udvpn} 2400`,
    `hub_provider_renewals_amount{${provider},udvpn,24h} 2400`,
    `hub_provider_renewals_amount{${provider},udvpn,7d} 2400`,
  ]);
});

test('renewals: a series and a sentence for each failed precondition', async () => {
  const { lines, said } = await look({
    leases: [leaseOf({ renewalPricePolicy: 3 })],
    prices: { [nodeAddress]: 101 },
    balances: { udvpn: 1_200 },
  });
  expect(said).toEqual([
    "4 ends the node asks 101 udvpn an hour, more than the 100 udvpn of the lease; the policy if_equal refuses 101 udvpn an hour after 100 udvpn; the provider's balance 1\u202f200 udvpn does not cover 24 h x 101 udvpn = 2\u202f424 udvpn",
  ]);
  expect(lines.filter((line) => line.includes('blocker') || line.includes('expected'))).toEqual([
    'hub_lease_renewal_blocker{4,price_higher} 1',
    'hub_lease_renewal_blocker{4,policy_refuses} 1',
    'hub_lease_renewal_blocker{4,balance_short} 1',
    'hub_lease_renewal_expected{4} 0',
  ]);
});

test('renewals: leases that end together are renewed in chain order, as far as the balance allows', async () => {
  const later = { startAt: time(60_000) };
  const leases = [leaseOf({ id: 9n }), leaseOf({ id: 2n, ...later }), leaseOf({ id: 3n }), leaseOf({ id: 10n })];
  const { said } = await look({ leases, balances: { udvpn: 4_900 } });
  const short = (id: number) =>
    `${id} ends the provider's balance 100 udvpn that the 2 renewals before it leave does not cover 24 h x 100 udvpn = 2\u202f400 udvpn`;
  expect(said).toEqual(['3 renews', '9 renews', short(10), short(2)]);
});

const onOther = (id: bigint, changes: Partial<Lease> = {}): Lease =>
  leaseOf({ id, nodeAddress: elsewhere, provAddress: withPrefix(nodeAddressOf(3), 'sentprov'), ...changes });

test('renewals: nodes that are not watched are read only if they affect the result', async () => {
  const provAddress = onOther(1n).provAddress;
  const leases = [onOther(1n), leaseOf({ id: 5n, provAddress })];
  const nodesAsked = async (udvpn: number, headMs?: number) => {
    const { asked, said } = await look({ leases, prices: { [elsewhere]: 101 }, balances: { udvpn } }, headMs);
    return [asked.filter(({ method }) => method === 'QueryNode').map(({ address }) => address), said];
  };
  expect(await nodesAsked(4_800)).toEqual([[nodeAddress], ['5 renews']]);
  expect(await nodesAsked(2_400)).toEqual([[nodeAddress, elsewhere], ['5 renews']]);
  const open =
    "whether the provider's balance 2\u202f400 udvpn covers 24 h x 100 udvpn = 2\u202f400 udvpn depends on renewals before it";
  expect(await nodesAsked(2_400, -10 * hourMs)).toEqual([[nodeAddress], [`5 open ${open}`]]);
});

test('renewals: subscription renewals are read if the balance decides, and count as far as their accounts can pay', async () => {
  const subscriptions = [subscriptionOf('sent1a', 20 * hourMs), subscriptionOf('sent1b', 23.5 * hourMs)];
  const world = { leases: [leaseOf()], subscriptions };
  const told = async (udvpn: number, subscribers: Readonly<Record<string, number>>) => {
    const { said, asked } = await look({ ...world, balances: { udvpn }, subscribers }, 19 * hourMs);
    return [asked.filter(({ method }) => method === 'Balance').length, said[0]];
  };
  expect(await told(2_400, {})).toEqual([0, '4 renews']);
  // The provider gets 800 of each payment: one at 20 h and another at 23.5 h.
  expect(await told(800, { sent1a: 1_000, sent1b: 1_000 })).toEqual([2, '4 renews']);
  const open =
    "whether the provider's balance of at most 2\u202f400 udvpn, with 800 udvpn that come in before it, covers";
  const subject = 'depends on renewals of subscriptions to its plans before it';
  expect(await told(800, { sent1a: 1_000, sent1b: 999 })).toEqual([
    2,
    `4 open ${open} 24 h x 100 udvpn = 2\u202f400 udvpn ${subject}`,
  ]);
  expect(await told(799, { sent1a: 1_000, sent1b: 1_000 })).toEqual([
    2,
    "4 ends the provider's balance 2\u202f399 udvpn, with 1\u202f600 udvpn that come in before it, does not cover 24 h x 100 udvpn = 2\u202f400 udvpn",
  ]);
});

test('renewals: plans that the endpoint does not serve leave the income open, and the poll succeeds', async () => {
  const replies = {
    'hub.plan.v3.QueryService/QueryPlansForProvider': new HubError({ code: 'not_served', message: 'no' }),
  };
  const { said } = await look({ leases: [leaseOf()], balances: { udvpn: 1 } }, 23 * hourMs, replies);
  expect(said).toEqual([
    "4 open whether the provider's balance covers 24 h x 100 udvpn = 2\u202f400 udvpn depends on renewals of subscriptions to its plans before it",
  ]);
});

test('renewals: hourly payouts of a lease on the own node count as income', async () => {
  const own = leaseOf({ nodeAddress: withPrefix(providerAddress, 'sentnode'), hours: 20n });
  const { said } = await look({ leases: [own], balances: { udvpn: 2_080 } }, 19 * hourMs);
  expect(said).toEqual(['4 renews']);
  const { said: less } = await look({ leases: [own], balances: { udvpn: 2_079 } }, 19 * hourMs);
  expect(less[0]).toMatch(/^4 ends .* with 320 udvpn that come in before it/);
});

test('renewals: an invalid address is not queried, and its lease stays open', async () => {
  const { said, lines } = await look({ leases: [leaseOf({ provAddress: 'x/../y' }), leaseOf({ id: 6n, hours: 24n })] });
  expect(said).toEqual([expect.stringMatching(/^6 ends/)]);
  expect(lines.some((line) => line.startsWith('hub_lease_next_payout_amount'))).toBe(false);
});

test('renewals: a node without a record leaves its lease open', async () => {
  const { said, lines } = await look({ leases: [leaseOf()], missing: [nodeAddress], balances: { udvpn: 99_999 } });
  expect(said).toEqual([
    expect.stringMatching(/^4 open the node could not be read; the node's price could not be read/),
  ]);
  expect(lines.filter((line) => /expected|blocker|renewal_amount/.test(line))).toEqual([]);
});

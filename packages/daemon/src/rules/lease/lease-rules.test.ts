import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { expect, test } from 'vitest';
import { fakeEndpoint } from '../../../test/fake-endpoint.js';
import { hourMs, leaseOf, leaseReplies, type LeaseWorld, priceOf } from '../../../test/lease-records.js';
import { ledgerEntry } from '../../../test/ledger-records.js';
import { nodeAddress, nodeAddressOf, providerAddress, testParts } from '../../../test/parts.js';
import { emptyLedger, verdictsOf } from '../../../test/rule-view.js';
import { leaseRenewals } from '../../checks/lease/lease-renewals.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { watchedProviders } from '../../checks/provider/watched-providers.js';
import type { LedgerRow } from '../../ledger/ledger-row.js';
import { createObservations } from '../../observations/observations.js';
import { pollJob } from '../../observations/poller.js';
import { RuleEvaluator } from '../evaluate.js';
import { rulesOfChecks } from '../of-checks.js';
import type { Rule, RuleView } from '../rule.js';
import { leaseEndingSoon } from './lease-ending-soon.js';
import { leaseNotRenewed } from './lease-not-renewed.js';
import { leasePayoutOverdue } from './lease-payout-overdue.js';
import { leaseRenewalBlocked } from './lease-renewal-blocked.js';

const minute = 60_000;
const checks = [nodeLeases, watchedProviders, leaseRenewals] as const;

/** A small chain with leases that is polled; a test changes the state and moves on. */
const startWorld = (first: LeaseWorld) => {
  const fake = fakeEndpoint();
  const parts = testParts({ own: fake });
  const observations = createObservations(checks, parts.config);
  const jobs = checks.map((check) => pollJob(check, { ...parts, observations }, () => undefined));
  let world = first;
  let ends: readonly LedgerRow[] = [];
  const view = (): RuleView => ({
    config: parts.config,
    observations,
    ledger: { ...emptyLedger, position: () => fake.height, recentEnds: () => ends },
    head: parts.pool.head(),
    newest: undefined,
    sweeps: { isOn: false, sinceMs: 0, states: () => [] },
    clockMs: parts.clock.nowMs(),
    awakeMs: parts.clock.monotonicMs(),
  });
  return {
    view,
    set: (changes: Partial<LeaseWorld>) => {
      world = { ...world, ...changes };
    },
    ended: (rows: readonly LedgerRow[]) => {
      ends = rows;
    },
    async go(headMs: number, blocks = 1n) {
      fake.height += blocks;
      Object.assign(fake.queries, leaseReplies(world));
      parts.clock.advance(Math.max(0, headMs - parts.clock.nowMs()));
      parts.pool.report(
        'own',
        { height: fake.height, timeMs: headMs, chainId: 'hub-test', catchingUp: false },
        new Set(),
      );
      for (const job of jobs) await job.run(parts.signal);
    },
    async blind(headMs: number) {
      fake.height += 1n;
      for (const method of Object.keys(fake.queries)) fake.queries[method] = new Error('down');
      parts.pool.report(
        'own',
        { height: fake.height, timeMs: headMs, chainId: 'hub-test', catchingUp: false },
        new Set(),
      );
      for (const job of jobs) await job.run(parts.signal);
    },
    judge: (rule: Rule) => verdictsOf(rule, view()),
    said: (rule: Rule) => verdictsOf(rule, view()).map(({ subject, state, title }) => `${subject} ${state}: ${title}`),
    own: parts.own,
  };
};

const onDay = async (lease: Partial<Lease>, more: Partial<LeaseWorld> = {}, headMs = 2 * hourMs) => {
  const world = startWorld({ leases: [leaseOf(lease)], balances: { udvpn: 2_400 }, ...more });
  await world.go(headMs);
  return world;
};

test('lease ending soon: within a day and without a renewal policy, in chain time', async () => {
  const long = { maxHours: 48n, renewalPricePolicy: 0 };
  expect((await onDay(long, {}, 23 * hourMs)).said(leaseEndingSoon)).toEqual([
    'lease-4 ok: lease 4 of five: runs until 1970-01-03 00:00:00 UTC',
  ]);
  const world = await onDay(long, {}, 25 * hourMs);
  const [verdict] = world.judge(leaseEndingSoon);
  expect(verdict).toMatchObject({
    subject: 'lease-4',
    term: '1970-01-01 00:00:00 UTC',
    state: 'firing',
    title: 'lease 4 of five: ends at 1970-01-03 00:00:00 UTC and is not to be renewed',
  });
  expect(verdict?.text).toContain(`Node: five (${nodeAddress})`);
  expect((await onDay({ maxHours: 48n }, {}, 25 * hourMs)).judge(leaseEndingSoon)[0]?.state).toBe('ok');
});

test('lease renewal blocked: a sentence for each blocker, and unknown if it cannot be determined', async () => {
  const prices = { [nodeAddress]: 101 };
  const [verdict] = (await onDay({ renewalPricePolicy: 3 }, { prices })).judge(leaseRenewalBlocked);
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'lease 4 of five: ends at 1970-01-02 00:00:00 UTC, its renewal will fail',
  });
  expect(verdict?.forMs).toBeUndefined();
  expect(verdict?.text).toContain(
    '- the node asks 101 udvpn an hour, more than the 100 udvpn of the lease\n- the policy if_equal refuses 101 udvpn an hour after 100 udvpn\n',
  );
  expect(verdict?.text).toContain(
    '\nThe node lowers its price, or the provider renews by message with a higher ceiling.\n',
  );
  const open = await onDay({}, { missing: [nodeAddress] });
  expect(open.said(leaseRenewalBlocked)[0]).toBe('lease-4 unknown: lease 4 of five: whether it renews is open');
  expect((await onDay({})).said(leaseRenewalBlocked)[0]).toBe(
    'lease-4 ok: lease 4 of five: renews for 24 h at 100 udvpn an hour, now 100 udvpn',
  );
  expect((await onDay({ maxHours: 72n }, { prices })).judge(leaseRenewalBlocked)[0]?.state).toBe('ok');
});

test('lease renewal blocked: a short balance gives one verdict for all leases of the provider', async () => {
  const leases = [1n, 2n, 3n].map((id) => leaseOf({ id, nodeAddress: id === 2n ? nodeAddressOf(7) : nodeAddress }));
  const world = startWorld({ leases, balances: { udvpn: 2_400 } });
  await world.go(2 * hourMs);
  const verdicts = world.judge(leaseRenewalBlocked);
  expect(verdicts.map(({ subject, state }) => [subject, state])).toEqual([
    ['lease-1', 'ok'],
    ['lease-3', 'ok'],
    ['lease-2', 'ok'],
    [providerAddress, 'firing'],
  ]);
  expect(verdicts[3]?.title).toBe(
    `${providerAddress}: its balance does not cover 2 renewals, the first at 1970-01-02 00:00:00 UTC`,
  );
  expect(verdicts[3]?.text.split('\n').slice(0, 2)).toEqual([
    `- lease 3 of five, at 1970-01-02 00:00:00 UTC: the provider's balance 0 udvpn that the renewal before it leaves does not cover 24 h x 100 udvpn = 2\u202f400 udvpn`,
    `- lease 2 of ${nodeAddressOf(7)}, at 1970-01-02 00:00:00 UTC: the provider's balance 0 udvpn that the renewal before it leaves does not cover 24 h x 100 udvpn = 2\u202f400 udvpn`,
  ]);
  world.set({ balances: { udvpn: 7_200 } });
  await world.go(2 * hourMs + minute);
  expect(world.judge(leaseRenewalBlocked)[3]?.state).toBe('ok');
});

test('lease renewal blocked: names the alert that already reports an inactive node or provider', async () => {
  const node = await onDay({}, { prices: { [nodeAddress]: undefined } });
  expect(node.judge(leaseRenewalBlocked)[0]?.cause).toEqual({ rule: 'HubNodeInactive', subject: nodeAddress });
  const provider = await onDay({}, { providerStatus: 3 });
  expect(provider.judge(leaseRenewalBlocked)[0]?.cause).toEqual({
    rule: 'HubProviderInactive',
    subject: providerAddress,
  });
});

test('lease renewal blocked: results for an earlier term do not apply to the present one', async () => {
  const world = await onDay({});
  const view = world.view();
  const renewed = leaseOf({ startAt: { seconds: 3_600n, nanos: 0 } });
  const observations: RuleView['observations'] = {
    outcome: (check, key) => {
      const outcome = view.observations.outcome(check, key);
      return check.name === 'leases' && outcome?.state === 'known'
        ? { ...outcome, reading: { ...(outcome.reading as object), leases: [renewed] } as never }
        : outcome;
    },
  };
  const [verdict] = verdictsOf(leaseRenewalBlocked, { ...view, head: undefined, observations });
  expect(verdict?.state).toBe('unknown');
});

test('payout overdue: an hour that stays unpaid for three blocks and two minutes', async () => {
  const world = await onDay({}, {}, hourMs + minute);
  const states: unknown[] = [];
  for (let at = 1; at <= 5; at += 1) {
    states.push(world.judge(leasePayoutOverdue)[0]?.state);
    await world.go(hourMs + (1 + at) * minute);
  }
  expect(states).toEqual(['ok', 'ok', 'unknown', 'firing', 'firing']);
  expect(world.judge(leasePayoutOverdue)[0]).toMatchObject({
    title: 'lease 4 of five: the payout of 1970-01-01 01:00:00 UTC is overdue',
  });
  world.set({ leases: [leaseOf({ hours: 2n })] });
  await world.go(hourMs + 8 * minute);
  expect(world.judge(leasePayoutOverdue)[0]?.state).toBe('ok');
});

test('payout overdue: after a halt of 60 hours the payouts that follow block by block are not reported as overdue', async () => {
  const world = await onDay({ maxHours: 720n }, {}, 30 * minute);
  for (let block = 0n; block <= 61n; block += 1n) {
    world.set({ leases: [leaseOf({ maxHours: 720n, hours: 1n + block })] });
    await world.go(60 * hourMs + Number(block) * 6_000);
    expect(world.judge(leasePayoutOverdue)[0]?.state, `block ${block}`).not.toBe('firing');
  }
  expect(world.judge(leasePayoutOverdue)[0]?.state).toBe('ok');
});

const end = (changes: Partial<LedgerRow> = {}): LedgerRow => ({
  ...ledgerEntry('lease_ended', { detail: 'renewal_failed' }),
  height: 123n,
  position: 0,
  blockMs: 24 * hourMs,
  ...changes,
});

test('lease not renewed: reported for a day, with earlier findings, until another lease replaces it', async () => {
  const world = await onDay({}, { balances: { udvpn: 1_200 } }, 23 * hourMs);
  world.set({ leases: [] });
  await world.go(24 * hourMs);
  world.ended([end(), end({ record: '5', detail: 'term' })]);
  const verdicts = world.judge(leaseNotRenewed);
  expect(verdicts.map(({ subject, term, state }) => `${subject} ${term} ${state}`)).toEqual(['lease-4 123 firing']);
  expect(verdicts[0]?.text).toContain(
    "Known before its end:\n- the provider's balance 1\u202f200 udvpn does not cover 24 h x 100 udvpn = 2\u202f400 udvpn",
  );
  expect(verdicts[0]?.text).not.toContain('plan');
  await world.go(48 * hourMs + 1);
  expect(world.judge(leaseNotRenewed)[0]).toMatchObject({ state: 'ok', isEnded: true });
  world.ended([end({ blockMs: 48 * hourMs })]);
  expect(world.judge(leaseNotRenewed)[0]).toMatchObject({ state: 'firing' });
  world.set({ leases: [leaseOf({ id: 9n })] });
  await world.go(48 * hourMs + minute);
  expect(world.judge(leaseNotRenewed)[0]).toMatchObject({
    state: 'ok',
    title: 'lease 4 of five: lease 9 is in its place',
  });
  // Without the list of leases it is unknown whether another one runs.
  await world.blind(48 * hourMs + 2 * minute);
  expect(world.judge(leaseNotRenewed)[0]).toMatchObject({ state: 'unknown' });
});

test('lease renewal blocked: a blocker found when little of the term is left is reported at once', async () => {
  const prices = { [nodeAddress]: 101 };
  const at = async (leftMs: number) =>
    (await onDay({}, { prices }, 24 * hourMs - leftMs)).judge(leaseRenewalBlocked)[0];
  expect(await at(21 * minute)).toMatchObject({ state: 'firing' });
  expect((await at(21 * minute))?.forMs).toBeUndefined();
  expect(await at(20 * minute)).toMatchObject({ state: 'firing', forMs: 0 });
  const world = await onDay({}, { balances: { udvpn: 1_200 } }, 24 * hourMs - 3 * minute);
  expect(world.judge(leaseRenewalBlocked).at(-1)).toMatchObject({ subject: providerAddress, forMs: 0 });
});

test('rules of leases: leases that could not be read leave their alerts unchanged', async () => {
  const rules = [leaseEndingSoon, leaseRenewalBlocked, leasePayoutOverdue];
  const world = await onDay({ renewalPricePolicy: 0 });
  const partial = () =>
    new RuleEvaluator(rules, world.own, () => undefined).evaluate(world.view()).map(({ isPartial }) => isPartial);
  expect(partial()).toEqual([false, false, false]);
  await world.blind(3 * hourMs);
  expect(world.judge(leaseEndingSoon)).toEqual([]);
  expect(partial()).toEqual([true, true, true]);
});

test.each<[string, Partial<LeaseWorld>, string, string]>([
  ['HubProviderInactive', { providerStatus: 3 }, 'firing', 'the provider is inactive'],
  ['HubProviderInactive', {}, 'ok', 'active'],
  ['HubLeaseDepositShort', { deposit: 2_299 }, 'firing', 'its deposit does not cover its leases'],
  ['HubLeaseDepositShort', { deposit: 2_300 }, 'ok', 'its deposit covers its leases'],
  ['HubLeaseDepositShort', { leases: [leaseOf({ price: priceOf(0, '') })] }, 'ok', 'its deposit covers its leases'],
])('provider rule %s, case %#: judged by the reading, unknown without one', async (name, more, state, title) => {
  const world = await onDay({}, more);
  const rule = rulesOfChecks([watchedProviders]).find((one) => one.name === name) as Rule;
  expect(world.judge(rule)).toMatchObject([{ subject: providerAddress, state, title: `${providerAddress}: ${title}` }]);
  await world.blind(3 * hourMs);
  expect(world.judge(rule)).toMatchObject([{ subject: providerAddress, state: 'unknown' }]);
});

import { HubError } from '@hubwatch/client';
import type { UnknownTypeUrl } from '@hubwatch/types/runtime/values';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verdictsOf } from '../../../test/rule-view.js';
import { fakeEndpoint, page, time } from '../../../test/fake-endpoint.js';
import { nodeAddress, testParts } from '../../../test/parts.js';
import { accountOfNode, accountTargets } from '../../checks/account/account-targets.js';
import { depositTruth } from '../../checks/account/deposit-truth.js';
import { feeGrants, termsOf } from '../../checks/account/fee-grants.js';
import { beatsMs, heartbeatFees, payerOf } from '../../checks/account/heartbeat-fees.js';
import { watchedAccounts } from '../../checks/account/watched-accounts.js';
import type { Check, Target } from '../../checks/check.js';
import { createObservations } from '../../observations/observations.js';
import type { Rule, RuleView } from '../rule.js';
import { rulesOfChecks } from '../of-checks.js';
import { balanceRunway } from './balance-runway.js';
import { feeGrantEnding } from './fee-grant-ending.js';

const start = 1_800_000_000_000;
const minute = 60_000;
const day = 86_400_000;
const account = accountOfNode(nodeAddress);
const client = 'sent1w6ssucq0rlmu6r460tfg3zvk43g4pphuzej7yt';
const granter = 'sent1rg2gfcm76nz8vcwkvdhjzpdhkqydyav23afxj8';
const absent = new HubError({ code: 'not_found', message: 'no', transport: 'grpc' });

/** A chain with balances, deposits and grants set by a test. */
const chain = () => {
  const fake = fakeEndpoint(['grpc', 'rpc']);
  const balances = new Map<string, string>();
  const deposits = new Map<string, readonly object[]>();
  const grants = new Map<string, readonly object[]>();
  Object.assign(fake.queries, {
    'stack.bank.v1beta1.Query/Balance': ({ address, denom }: { address: string; denom: string }) => ({
      balance: { denom, amount: balances.get(`${address} ${denom}`) ?? '0' },
    }),
    'hub.deposit.v1.QueryService/QueryDeposit': ({ address }: { address: string }) => {
      const coins = deposits.get(address);
      return coins === undefined ? absent : { deposit: { address, coins } };
    },
    'stack.feegrant.v1beta1.Query/Allowances': ({ grantee }: { grantee: string }) =>
      page('allowances', grants.get(grantee) ?? []),
    'hub.lease.v1.QueryService/QueryLeasesForProvider': page('leases', []),
    'hub.session.v3.QueryService/QuerySessionsForAccount': page('sessions', []),
  });
  const parts = testParts({ own: fake });
  const watch = {
    ...parts.config.watch,
    accounts: [{ address: client, alias: 'client', minimum: { udvpn: 5_000_000n } }],
  };
  const config = { ...parts.config, watch };
  const context = { ...parts, config };
  parts.clock.advance(start - parts.clock.nowMs());
  parts.pool.report('own', { chainId: 'hub-test', height: 1_000n, timeMs: start, catchingUp: false });
  const all = [watchedAccounts, feeGrants, heartbeatFees, depositTruth] as unknown as Check[];
  const observations = createObservations(all, config);
  const read = async <T extends Target, R>(check: Check<T, R>): Promise<readonly string[]> => {
    fake.height += 1n;
    const lines: string[] = [];
    for (const target of check.targets(config)) {
      const reading = await check.collect(target, context);
      observations.record(check, target, { state: 'known', reading, moment: parts.moment });
      for (const { family, labels, value } of check.metrics(target, reading))
        lines.push(`${family.name}{${labels.join()}} ${value}`);
    }
    return lines;
  };
  const view = () =>
    ({
      ...{ config, observations, clockMs: parts.clock.nowMs() },
      head: { height: 1_000n, timeMs: parts.clock.nowMs() },
    }) as unknown as RuleView;
  return {
    fake,
    balances,
    deposits,
    grants,
    parts,
    config,
    read,
    judge: (rule: Rule, subject: string) => verdictsOf(rule, view()).find((verdict) => verdict.subject === subject),
    named: (check: unknown, name: string) => {
      const rule = rulesOfChecks([check as Check]).find((one) => one.name === name);
      if (rule === undefined) throw new Error(`no rule ${name}`);
      return rule;
    },
  };
};

test('accounts: accounts of watched nodes are watched automatically, and only once if also configured', () => {
  const { config } = chain();
  expect(accountTargets(config).map(({ key, title }) => [key, title])).toEqual([
    [client, 'client'],
    [account, 'account of five'],
  ]);
  const accounts = [{ address: account, alias: 'mine' }];
  expect(accountTargets({ ...config, watch: { ...config.watch, accounts } }).map(({ title }) => title)).toEqual([
    'mine',
  ]);
});

test('accounts: balance, deposit and minimum balance, and a notice with the missing amount', async () => {
  const world = chain();
  world.balances.set(`${client} udvpn`, '4999999');
  world.deposits.set(client, [{ denom: 'udvpn', amount: '77' }]);
  expect(await world.read(watchedAccounts)).toEqual([
    `hub_account_balance{${client},udvpn} 4999999`,
    `hub_account_deposit{${client},udvpn} 77`,
    `hub_account_balance{${account},udvpn} 0`,
  ]);
  const rule = world.named(watchedAccounts, 'HubBalanceLow');
  const verdict = world.judge(rule, client);
  expect(verdict?.title).toBe('client: balance is low: 4\u202f999\u202f999 udvpn');
  expect(verdict?.text).toContain('1 udvpn are missing');
  expect(world.judge(rule, account)?.state).toBe('ok');
  world.balances.set(`${client} udvpn`, '5000000');
  await world.read(watchedAccounts);
  expect(world.judge(rule, client)?.state).toBe('ok');
});

/** A node that sent heartbeats every 60 minutes, the last in block 990. */
const withHeartbeats = (world: ReturnType<typeof chain>, fee = '100000udvpn', payer = account): void => {
  const beatMs = start - 60_000;
  for (let beat = 0; beat < 7; beat += 1) world.parts.history.add(nodeAddress, beatMs - beat * 50 * minute);
  world.fake.rpc['header'] = ({ height }: { height: bigint }) => ({
    header: { time: time(start - Number(1_000n - height) * 6_000) },
  });
  world.fake.rpc['block_results'] = ({ height }: { height: bigint }) => ({
    txsResults:
      height === 990n
        ? [
            {
              code: 0,
              events: [
                {
                  type: 'tx',
                  attributes: [
                    { key: 'fee', value: fee },
                    { key: 'fee_payer', value: payer },
                  ],
                },
                {
                  type: 'hub.node.v3.EventUpdateStatus',
                  attributes: [{ key: 'node_address', value: `"${nodeAddress}"` }],
                },
              ],
            },
          ]
        : [],
  });
};

test('runway: the fee is that of the last heartbeat, and the runway follows from the interval of the node', async () => {
  const world = chain();
  withHeartbeats(world);
  world.balances.set(`${account} udvpn`, String(100_000 * 28.8 * 10));
  expect(await world.read(heartbeatFees)).toEqual([
    `hub_node_heartbeat_fee_amount{${nodeAddress},udvpn} 100000`,
    `hub_node_fee_payer_info{${nodeAddress},${account}} 1`,
    `hub_account_runway_seconds{${account},udvpn} ${(10 * day) / 1_000}`,
  ]);
  expect(world.judge(balanceRunway, nodeAddress)).toMatchObject({
    state: 'ok',
    title: 'five: its heartbeats are paid for until about 2027-01-25 08:00:00 UTC',
  });
  world.balances.set(`${account} udvpn`, String(100_000 * 28.8 * 2.5 + 99_999));
  await world.read(heartbeatFees);
  const verdict = world.judge(balanceRunway, nodeAddress);
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'five: money for heartbeats lasts until about 2027-01-17 20:00:00 UTC',
  });
  expect(verdict?.text).toContain('holds 7\u202f299\u202f999 udvpn: enough for 72 heartbeats, at 29 a day.');
  expect(verdict?.text).toContain('A heartbeat costs 100\u202f000 udvpn.');
});

test('runway: the block of a fee is searched once in six hours, not in every round', async () => {
  const world = chain();
  withHeartbeats(world);
  await world.read(heartbeatFees);
  world.fake.rpc['header'] = undefined;
  expect(await world.read(heartbeatFees)).toContain(`hub_node_heartbeat_fee_amount{${nodeAddress},udvpn} 100000`);
});

test('runway: without a consensus RPC the fee is estimated from balance changes, and the notice states this', async () => {
  const world = chain();
  for (let beat = 0; beat < 7; beat += 1) world.parts.history.add(nodeAddress, start - beat * 50 * minute);
  let balance = 1_000_000n;
  for (const step of [0n, -100n, -100n, 50_000n, -100n, -400_000n, -100n]) {
    balance += step;
    world.balances.set(`${account} udvpn`, String(balance));
    await world.read(watchedAccounts);
  }
  world.balances.set(`${account} udvpn`, '200');
  expect(await world.read(heartbeatFees)).toContain(`hub_node_heartbeat_fee_amount{${nodeAddress},udvpn} 100`);
  expect(world.judge(balanceRunway, nodeAddress)?.text).toContain('100 udvpn, as far as the balance tells');
});

test('runway: without a known fee the runway is unknown, and free heartbeats have no end', async () => {
  const world = chain();
  await world.read(heartbeatFees);
  expect(world.judge(balanceRunway, nodeAddress)?.state).toBe('unknown');
  withHeartbeats(world, '');
  await world.read(heartbeatFees);
  expect(world.judge(balanceRunway, nodeAddress)).toMatchObject({
    state: 'ok',
    title: 'five: its heartbeats cost nothing',
  });
});

const basic = (amount: string, expiresMs?: number) => ({
  typeUrl: '/stack.feegrant.v1beta1.BasicAllowance',
  value: {
    spendLimit: amount === '' ? [] : [{ denom: 'udvpn', amount }],
    expiration: expiresMs === undefined ? undefined : time(expiresMs),
  },
});

test('runway: a node paid by a grant has the remaining allowance, until the grant expires', async () => {
  const world = chain();
  withHeartbeats(world, '100000udvpn', granter);
  world.balances.set(`${granter} udvpn`, '100000000000');
  world.grants.set(account, [{ granter, grantee: account, allowance: basic(String(100_000 * 29 + 5)) }]);
  await world.read(heartbeatFees);
  // The payer has enough. Whether the grant covers it is unknown before the grant is read.
  expect(world.judge(balanceRunway, nodeAddress)).toMatchObject({ state: 'unknown' });
  await world.read(feeGrants);
  expect(world.judge(balanceRunway, nodeAddress)).toMatchObject({
    state: 'firing',
    title: 'five: money for heartbeats lasts until about 2027-01-16 08:10:00 UTC',
  });
  world.grants.set(account, [{ granter, grantee: account, allowance: basic('', start + day / 2) }]);
  await world.read(feeGrants);
  expect(world.judge(balanceRunway, nodeAddress)?.text).toContain(
    'which pays the heartbeats, expires at 2027-01-15 20:00:00 UTC',
  );
  world.grants.set(account, []);
  await world.read(feeGrants);
  expect(world.judge(balanceRunway, nodeAddress)?.text).toContain(`its grant to ${account} is gone`);
});

test('fee grants: reported three days before a grant expires, and when a grant is gone', async () => {
  const world = chain();
  world.grants.set(client, [{ granter, grantee: client, allowance: basic('70', start + 3 * day) }]);
  expect(await world.read(feeGrants)).toEqual([
    `hub_account_fee_grants{${client}} 1`,
    `hub_account_fee_grant_expiry_timestamp_seconds{${client},${granter}} ${(start + 3 * day) / 1_000}`,
    `hub_account_fee_grant_remaining_amount{${client},${granter},udvpn} 70`,
    `hub_account_fee_grants{${account}} 0`,
  ]);
  expect(world.judge(feeGrantEnding, client)?.state).toBe('ok');
  world.parts.clock.advance(1_000);
  const verdict = world.judge(feeGrantEnding, client);
  expect(verdict?.title).toBe('client: a fee grant expires at 2027-01-18 08:00:00 UTC');
  expect(verdict?.text).toContain(`- of ${granter}: expires at 2027-01-18 08:00:00 UTC, 70 udvpn left`);
  world.grants.set(client, []);
  await world.read(feeGrants);
  expect(world.judge(feeGrantEnding, client)?.text).toContain(`- of ${granter}: gone: used up, expired or revoked`);
  world.parts.clock.advance(day + 1);
  await world.read(feeGrants);
  expect(world.judge(feeGrantEnding, client)?.state).toBe('ok');
});

test('fee grants: recorded kinds: periodic, and one restricted to messages other than heartbeats', () => {
  const periodic = {
    typeUrl: '/stack.feegrant.v1beta1.PeriodicAllowance' as const,
    value: {
      basic: { spendLimit: [{ denom: 'udvpn', amount: '100000000' }], expiration: undefined },
      period: { seconds: 3_600n, nanos: 0 },
      periodSpendLimit: [{ denom: 'udvpn', amount: '1000000' }],
      periodCanSpend: [{ denom: 'udvpn', amount: '1000000' }],
      periodReset: time(start),
    },
  };
  const narrowed = (...allowedMessages: string[]) => ({
    typeUrl: '/stack.feegrant.v1beta1.AllowedMsgAllowance' as const,
    value: { allowance: periodic, allowedMessages },
  });
  expect(termsOf(periodic)).toMatchObject({ paysHeartbeats: true, period: { resetMs: start } });
  expect(termsOf(narrowed('/x.session.v3.MsgCancelSessionRequest'))).toMatchObject({ paysHeartbeats: false });
  expect(termsOf(narrowed('/x.node.v3.MsgUpdateNodeStatusRequest'))).toMatchObject({
    paysHeartbeats: true,
    left: [{ amount: '100000000' }],
  });
  expect(
    termsOf({ typeUrl: '/later.Allowance' as string as UnknownTypeUrl, raw: new Uint8Array() }).paysHeartbeats,
  ).toBeUndefined();
});

const session = (maxBytes: string, quoteValue: string, denom = 'udvpn') => ({
  typeUrl: '/hub.node.v3.Session',
  value: {
    baseSession: { maxBytes, maxDuration: { seconds: 0n, nanos: 0 } },
    price: { denom, baseValue: '0', quoteValue },
  },
});

test('deposit truth: sessions and unpaid lease hours add up to the deposit at one height; a difference is reported', async () => {
  const world = chain();
  const heights = new Set<unknown>();
  const sessions = [
    session('2000000000', '30'),
    { typeUrl: '/hub.subscription.v3.Session', value: { baseSession: {} } },
  ];
  world.fake.queries['hub.session.v3.QueryService/QuerySessionsForAccount'] = (_request: unknown, height: unknown) => {
    heights.add(height);
    return page('sessions', sessions);
  };
  const lease = {
    id: 4n,
    price: { denom: 'udvpn', baseValue: '0', quoteValue: '10' },
    hours: 1n,
    maxHours: 5n,
    startAt: time(start),
  };
  world.fake.queries['hub.lease.v1.QueryService/QueryLeasesForProvider'] = page('leases', [lease]);
  world.deposits.set(client, [{ denom: 'udvpn', amount: '100' }]);
  const lines = await world.read(depositTruth);
  expect(lines).toContain(`hubwatch_deposit_difference_amount{${client},udvpn} 0`);
  expect([...heights]).toEqual([world.fake.height]);
  const rule = world.named(depositTruth, 'HubwatchDepositDisagrees');
  expect(world.judge(rule, client)?.state).toBe('ok');
  world.deposits.set(client, [{ denom: 'udvpn', amount: '101' }]);
  expect(await world.read(depositTruth)).toContain(`hubwatch_deposit_difference_amount{${client},udvpn} 1`);
  expect(world.judge(rule, client)).toMatchObject({
    state: 'firing',
    title: 'client: our reading and the chain disagree about its deposit',
  });
});

test('deposit truth: a session of an unknown kind makes it unknown, never an error', async () => {
  const world = chain();
  world.fake.queries['hub.session.v3.QueryService/QuerySessionsForAccount'] = page('sessions', [
    { typeUrl: '/hub.later.v9.Session', raw: new Uint8Array() },
  ]);
  world.deposits.set(client, [{ denom: 'udvpn', amount: '100' }]);
  expect((await world.read(depositTruth)).some((line) => line.includes(client))).toBe(false);
  expect(world.judge(world.named(depositTruth, 'HubwatchDepositDisagrees'), client)?.state).toBe('unknown');
});

test('runway: property: whole heartbeats, and one more for each fee that is added', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 15n),
      fc.bigInt(1n, 10n ** 9n),
      fc.integer({ min: 1, max: 1_000 }),
      (has, fee, perDay) => {
        const share = {
          denom: 'udvpn',
          nodes: ['a'],
          perDay: Number(fee) * perDay,
          beatsPerDay: perDay,
          highest: fee,
          lowest: fee,
        };
        const { beats, runwayMs } = payerOf(share, has, 0);
        expect(beats).toBe(has / fee);
        expect(runwayMs).toBe(beatsMs(has / fee, perDay));
        expect(payerOf(share, has + fee, 0).beats).toBe(has / fee + 1n);
        expect(payerOf({ ...share, highest: 0n, lowest: 0n, perDay: 0 }, has, 0).runwayMs).toBeUndefined();
      },
    ),
  );
});

test('runway: a balance below the fee of one heartbeat gives a runway of 0', async () => {
  const world = chain();
  withHeartbeats(world);
  world.balances.set(`${account} udvpn`, '99999');
  expect(await world.read(heartbeatFees)).toContain(`hub_account_runway_seconds{${account},udvpn} 0`);
  const verdict = world.judge(balanceRunway, nodeAddress);
  expect(verdict).toMatchObject({ state: 'firing', title: 'five: its next heartbeat cannot be paid' });
  expect(verdict?.text).toContain(`${account} holds 99\u202f999 udvpn: less than one costs.`);
});

test('runway: until it is measured, the interval is a share of the chain’s timeout', async () => {
  const world = chain();
  world.fake.queries['hub.node.v3.QueryService/QueryParams'] = {
    params: { minHourlyPrices: [], minGigabytePrices: [], statusTimeout: { seconds: 240n, nanos: 0 } },
  };
  withHeartbeats(world);
  world.balances.set(`${account} udvpn`, String(100_000 * 30));
  // Heartbeats 50 minutes apart exceed this timeout, so they do not count for the interval.
  const [, , line = ''] = await world.read(heartbeatFees);
  expect(Number(line.split(' ')[1])).toBeCloseTo(30 * 220, 3);
});

test('runway: a round that events started reads the balances that they name, and reuses the others', async () => {
  const world = chain();
  withHeartbeats(world);
  world.balances.set(`${account} udvpn`, '500000');
  const [target] = heartbeatFees.targets(world.config);
  if (target === undefined) throw new Error('no target');
  const context = { ...world.parts, config: world.config };
  const first = await heartbeatFees.collect(target, context);
  world.balances.set(`${account} udvpn`, '0');
  const asked: unknown[] = [];
  world.fake.queries['hub.node.v3.QueryService/QueryParams'] = () => asked.push('params');
  const other = { ...context, previous: first, only: new Set(['sent1other']) };
  expect((await heartbeatFees.collect(target, other)).payers.get(account)?.beats).toBe(5n);
  const touched = { ...context, previous: first, only: new Set([account]) };
  expect((await heartbeatFees.collect(target, touched)).payers.get(account)?.beats).toBe(0n);
  expect(asked).toEqual([]);
});

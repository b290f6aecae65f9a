import {
  accountSubscriptions,
  depositTruth,
  feeGrants,
  heartbeatFees,
  payerOf,
  watchedAccounts,
} from '@hubwatch/daemon/parts';
import { convertAddress } from '@hubwatch/client/address';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { RandomSource } from '../random-source.js';
import { account, changing, day, type Look, minute, nodes, second, targetOf, timestamp, type Topic } from './world.js';

/** Balances, and the cost of node heartbeats for the accounts that pay for them. */
const money = (random: RandomSource) => {
  const amounts = new Map(
    ['udvpn', 'other'].map((denom) => [
      denom,
      changing(random, 0.4, () => BigInt(random.pick([0, 9, 10, 4_999, 5_000, 50_000]))),
    ]),
  );
  const fee = BigInt(random.pick([10, 100]));
  const balances = new Map(
    nodes.map((node) => [
      node,
      changing(random, 0.3, () => fee * BigInt(random.below(200)) + BigInt(random.below(10))),
    ]),
  );
  return {
    balances: () => new Map([...amounts].map(([denom, amount]) => [denom, amount()])),
    fees: (look: Look) => {
      const beatsPerDay = 24;
      const perDay = Number(fee) * beatsPerDay;
      const shares = nodes.map((node) => ({ node, payer: convertAddress(node, 'account') }));
      return {
        nodes: new Map(
          shares.map(({ node, payer }) => [
            node,
            { amount: fee, denom: 'udvpn', payer, beatsPerDay, from: 'transaction' as const },
          ]),
        ),
        payers: new Map(
          shares.map(({ node, payer }) => [
            payer,
            payerOf(
              { denom: 'udvpn', nodes: [node], perDay, beatsPerDay, highest: fee, lowest: fee },
              balances.get(node)?.() ?? 0n,
              look.nowMs,
            ),
          ]),
        ),
        height: undefined,
      };
    },
  };
};

const grantsOf = (random: RandomSource) => {
  const grants = Array.from({ length: random.below(3) }, (_, index) => ({
    granter: `sent1granter${index}`,
    expiresMs: random.pick([undefined, 3 * day + random.below(14) * minute + 7 * second, 9 * day]),
    left: undefined,
    period: undefined,
    paysHeartbeats: true,
  }));
  return () => ({ grants, gone: [], height: undefined });
};

const reasons = ['plan_inactive', 'not_sold', 'policy_refuses', 'balance_short'] as const;

const subscriptionOf = (random: RandomSource, id: number) => {
  const endMs = random.pick([day + random.below(14) * minute, 20 * day]) + 7 * second;
  const isOwn = random.chance(0.8);
  const isActive = changing(random, 0.1, () => random.chance(0.9));
  const hasPolicy = random.chance(0.8);
  const forecast = changing(random, 0.3, () =>
    random.pick([
      undefined,
      { renews: true },
      ...reasons.map((reason) => ({ renews: false, reason, sentence: reason })),
    ]),
  );
  return () => {
    const status = isActive() ? Status.STATUS_ACTIVE : Status.STATUS_INACTIVE_PENDING;
    const off = { renews: false, reason: 'policy_off', sentence: 'off' };
    return {
      subscription: {
        id: BigInt(id),
        accAddress: isOwn ? account : 'sent1other',
        planId: 3n,
        price: { denom: 'udvpn', baseValue: '0' as never, quoteValue: '10' as never },
        renewalPricePolicy: hasPolicy
          ? RenewalPricePolicy.RENEWAL_PRICE_POLICY_ALWAYS
          : RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED,
        status,
        inactiveAt: timestamp(endMs),
        startAt: undefined,
        statusAt: undefined,
      },
      isOwn,
      isTold: true,
      forecast: (isOwn && status === Status.STATUS_ACTIVE ? (hasPolicy ? forecast() : off) : undefined) as never,
      allocations: [],
    };
  };
};

/** Accounts: balances and their minimum, heartbeat fees, grants, deposits and subscriptions. */
export const accountTopic: Topic = (random, config) => {
  const { balances, fees } = money(random);
  const accounts = watchedAccounts.targets(config).map((target) => ({ target, grants: grantsOf(random) }));
  const held = changing(random, 0.3, () => BigInt(random.pick([100, 100, 99, 101])));
  const subscriptions = Array.from({ length: random.below(4) }, (_, index) => subscriptionOf(random, index + 1));
  return (look) => {
    for (const { target, grants } of accounts) {
      look.record(watchedAccounts, target, () => ({ balances: balances(), deposit: [], height: undefined }));
      look.record(feeGrants, targetOf(feeGrants, config, target.key), grants);
    }
    look.record(heartbeatFees, targetOf(heartbeatFees, config, 'hub-2'), () => fees(look));
    look.record(depositTruth, targetOf(depositTruth, config, account), () => ({
      sums: new Map([['udvpn', { held: held(), expected: 100n }]]),
      isPartial: false,
      height: undefined,
    }));
    look.record(accountSubscriptions, targetOf(accountSubscriptions, config, account), () => ({
      subscriptions: subscriptions.map((one) => one()),
      height: undefined,
    }));
  };
};

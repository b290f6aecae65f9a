import { leaseRenewals, nodeLeases, renewalsTarget, watchedProviders } from '@hubwatch/daemon/parts';
import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import type { RandomSource } from '../random-source.js';
import {
  changing,
  day,
  type Look,
  minute,
  nodes,
  providers,
  second,
  targetOf,
  timestamp,
  type Topic,
} from './world.js';

const blockers = ['provider_inactive', 'node_inactive', 'price_higher', 'balance_short', 'balance_short'] as const;

const leaseOf = (random: RandomSource, id: number) => {
  const hours = 100n;
  // Some terms end about a day after the start of the history.
  const endMs = random.pick([day + random.below(14) * minute, day - random.below(14) * minute, 40 * day]) + 7 * second;
  const isRenewed = random.chance(0.7);
  const lease: Lease = {
    id: BigInt(id),
    provAddress: random.pick(providers),
    nodeAddress: random.pick(nodes),
    price: { denom: random.pick(['udvpn', 'other']), baseValue: '0' as never, quoteValue: '10' as never },
    hours: 50n,
    maxHours: hours,
    renewalPricePolicy: isRenewed
      ? RenewalPricePolicy.RENEWAL_PRICE_POLICY_ALWAYS
      : RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED,
    startAt: timestamp(endMs - Number(hours) * 3_600 * second),
  };
  const failing = changing(random, 0.2, () =>
    isRenewed ? blockers.filter(() => random.chance(0.2)) : (['policy_off'] as const),
  );
  const isOpen = changing(random, 0.1, () => random.chance(0.1));
  const renewal = () => {
    const reasons = [...new Set(failing())];
    const [reason] = reasons;
    const preconditions = reasons.map((one) => ({ reason: one, holds: false, sentence: one }));
    const refused = reason && { renews: false as const, reason, sentence: reason };
    const renewed = { renews: true as const, price: lease.price, deposit: 1_000n, sentence: 'renews' };
    // A failed condition takes precedence over an unknown one.
    const forecast = refused ?? (isOpen() ? undefined : renewed);
    return { lease, forecast, preconditions, cost: 1_000n, purse: undefined };
  };
  return { lease, renewal };
};

/** Leases of watched nodes and providers: their ends, obstacles to their renewal, and the deposits that back them. */
export const leaseTopic: Topic = (random, config) => {
  const leases = Array.from({ length: 1 + random.below(5) }, (_, index) => leaseOf(random, index + 1));
  const status = new Map(
    providers.map((one) => [
      one,
      changing(random, 0.15, () => random.pick(['active', 'active', 'inactive', undefined])),
    ]),
  );
  const held = new Map(providers.map((one) => [one, changing(random, 0.3, () => random.pick(['499', '500', '5000']))]));
  // The daemon reads a lease from its node or its provider; the metrics read it only from its node.
  const isOut = changing(random, 0.2, () => random.chance(0.1));
  return (look: Look) => {
    const height = look.chain.head?.height;
    const out = isOut();
    for (const key of nodes)
      look.recordUnless(out, nodeLeases, targetOf(nodeLeases, config, key), () => ({
        leases: leases.flatMap(({ lease }) => (lease.nodeAddress === key ? lease : [])),
        height,
        unpaid: new Map(),
      }));
    for (const key of providers)
      look.recordUnless(out, watchedProviders, targetOf(watchedProviders, config, key), () => ({
        status: status.get(key)?.(),
        name: '',
        leases: leases.flatMap(({ lease }) => (lease.provAddress === key ? lease : [])),
        // Every node in these histories is watched and reports its leases.
        elsewhere: [],
        deposit: ['udvpn', 'other'].map((denom) => ({ denom, amount: (held.get(key)?.() ?? '0') as never })),
        height,
        unpaid: new Map(),
      }));
    look.record(leaseRenewals, renewalsTarget, () => ({
      height,
      nowMs: look.chain.head?.timeMs,
      stakingShare: '0.2' as never,
      renewals: new Map(leases.map(({ lease, renewal }) => [lease.id, renewal()])) as never,
      balances: new Map(),
    }));
  };
};

import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Dec } from '@hubwatch/types/runtime/values';
import type { Config } from '../../config/schema.js';
import { leaseTerms } from '../../forecast/lease-terms.js';
import { renewalBlockers } from '../../forecast/renewal-blockers.js';
import { splitPayment } from '../../forecast/share.js';
import { nativeDenom } from '../account/account-targets.js';
import type { Check, Target } from '../check.js';
import { gauge, type Sample, sample } from '../family.js';
import { msOf } from '../times.js';
import { readRenewalRecords } from './renewal-facts.js';
import {
  endsAt,
  hoursOnOwnNodes,
  inOrder,
  type LeaseRenewal,
  nodesThatDecide,
  outlooks,
  providersThatMayFallShort,
  renewalHorizonMs,
} from './renewal-outlooks.js';
import { readSubscriptionIncome } from './subscription-income.js';

export interface RenewalsReading {
  readonly height: bigint | undefined;
  /** Time of the agreed head at the start of the collection, in milliseconds. */
  readonly nowMs: number | undefined;
  /** Share of a payout that goes to stakers. */
  readonly stakingShare: Dec;
  /** Leases of watched nodes and providers by id, in the order in which their terms end. */
  readonly renewals: ReadonlyMap<bigint, LeaseRenewal>;
  /** Leases that were found earlier and are gone, for one day, in their last known state. */
  readonly gone?: ReadonlyMap<bigint, LeaseRenewal> | undefined;
  /** Spendable balances of watched providers by address and denomination. */
  readonly balances: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
}

/** How long a lease that is gone is kept. */
const goneMs = 86_400_000;

const horizons = [
  ['24h', renewalHorizonMs],
  ['7d', 7 * 86_400_000],
] as const;

const unit = 'in the base unit of the denomination';
const expected = gauge(
  'hub_lease_renewal_expected',
  ['lease_id'],
  '1 if the lease would be renewed now, 0 if it would end; absent if unknown',
);
const blocker = gauge(
  'hub_lease_renewal_blocker',
  ['lease_id', 'reason'],
  `1 for each precondition of the renewal that fails: ${Object.keys(renewalBlockers).join(', ')}`,
);
const renewalCost = gauge(
  'hub_lease_renewal_amount',
  ['lease_id', 'denom'],
  `Amount that the renewal moves from the provider's balance into its deposit, ${unit}; absent if the node has no price for it`,
);
const payout = gauge(
  'hub_lease_next_payout_amount',
  ['lease_id', 'denom', 'receiver'],
  `Amount that the next hour pays to the node and to stakers, ${unit}; absent after every hour is paid`,
);
const balance = gauge(
  'hub_provider_balance_amount',
  ['provider', 'denom'],
  `Spendable balance of the provider's account in udvpn and in denominations of its leases, ${unit}`,
);
const ahead = gauge(
  'hub_provider_renewals_amount',
  ['provider', 'denom', 'within'],
  `Cost of the next lease renewals within 24h and 7d that only the balance can prevent, each lease once, ${unit}`,
);

/** The only target. */
export const renewalsTarget: Target = { key: 'renewals' };

/** Reads the data that determines renewals once for all leases, and computes the outlook of each lease. */
export const leaseRenewals: Check<Target, RenewalsReading> = {
  name: 'renewals',
  families: [expected, blocker, renewalCost, payout, balance, ahead],
  everyMs: (config) => config.poll.renewals,
  targets: ({ watch }) => (watch.nodes.length + watch.providers.length === 0 ? [] : [renewalsTarget]),
  collect(_target, context) {
    const { pool, signal, config, moment } = context;
    return pool.read('renewals of leases', signal, async (source) => {
      const watched = watchedIn(config);
      const { records, readNodes } = await readRenewalRecords(context, source, watched);
      const isWatched = watches(watched);
      const all = inOrder([...records.providers.values()].flatMap(({ leases }) => leases));
      await readNodes(all.filter(isWatched).map(({ nodeAddress }) => nodeAddress));
      const nowMs = moment.head?.timeMs;
      await readNodes(nodesThatDecide(outlooks(all, records), isWatched, nowMs));
      const income = new Map(hoursOnOwnNodes(all, records, nowMs));
      const short = providersThatMayFallShort(outlooks(all, records, income), isWatched, nowMs);
      for (const asked of short) {
        const more = await readSubscriptionIncome(source, asked, records.assets, records.height);
        income.set(asked.provider, [...(income.get(asked.provider) ?? []), ...more]);
      }
      const renewals = outlooks(all, records, income).filter(({ lease }) => isWatched(lease));
      const found = new Map(renewals.map((one) => [one.lease.id, one]));
      return {
        height: records.height,
        nowMs,
        stakingShare: records.params.stakingShare,
        renewals: found,
        gone: goneSince(context.previous as RenewalsReading | undefined, found, nowMs),
        balances: new Map(
          watched.providers.flatMap((one) => {
            const read = records.providers.get(one);
            return read === undefined ? [] : [[one, read.balances]];
          }),
        ),
      };
    });
  },
  metrics: (_target, reading) => [
    ...[...reading.renewals.values()].flatMap((one) => renewalSamples(one, reading.stakingShare)),
    ...[...reading.balances].flatMap(([provider, coins]) => providerSamples(provider, coins, reading)),
  ],
};

/** The reason for a failed renewal comes from the previous reading, because the chain deletes the lease at its end. */
const goneSince = (
  previous: RenewalsReading | undefined,
  found: ReadonlyMap<bigint, LeaseRenewal>,
  nowMs: number | undefined,
): ReadonlyMap<bigint, LeaseRenewal> => {
  const before = [...(previous?.gone ?? []), ...(previous?.renewals ?? [])];
  return new Map(
    before.filter(([id, { lease }]) => {
      const end = endsAt(lease);
      return !found.has(id) && end !== undefined && nowMs !== undefined && nowMs - msOf(end) < goneMs;
    }),
  );
};

const watchedIn = ({ watch }: Config) => ({
  nodes: watch.nodes.map(({ address }) => address),
  providers: watch.providers.map(({ address }) => address),
});

const watches = (watched: ReturnType<typeof watchedIn>): ((lease: Lease) => boolean) => {
  const [nodes, providers] = [new Set(watched.nodes), new Set(watched.providers)];
  return ({ nodeAddress, provAddress }) => nodes.has(nodeAddress) || providers.has(provAddress);
};

const renewalSamples = ({ lease, forecast, preconditions, cost }: LeaseRenewal, share: Dec): readonly Sample[] => {
  const id = String(lease.id);
  const { denom } = lease.price;
  const samples = preconditions
    .filter(({ holds }) => holds === false)
    .map(({ reason }) => sample(blocker, [id, reason], 1));
  if (forecast !== undefined) samples.push(sample(expected, [id], forecast.renews ? 1 : 0));
  if (cost !== undefined) samples.push(sample(renewalCost, [id, denom], Number(cost)));
  const terms = leaseTerms(lease);
  if (terms?.nextPayoutAt !== undefined) {
    const { toReceiver, toStakers } = splitPayment(terms.hourly, share);
    samples.push(sample(payout, [id, denom, 'node'], Number(toReceiver)));
    samples.push(sample(payout, [id, denom, 'stakers'], Number(toStakers)));
  }
  return samples;
};

/** Cost of the next renewals of a provider, by denomination. Renewals that fail for another reason cost nothing. */
export const renewalsAhead = (
  { renewals }: Pick<RenewalsReading, 'renewals'>,
  provider: string,
  untilMs: number,
): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { lease, cost, preconditions } of renewals.values()) {
    const end = endsAt(lease);
    if (lease.provAddress !== provider || cost === undefined || end === undefined || msOf(end) > untilMs) continue;
    if (preconditions.some(({ reason, holds }) => holds === false && reason !== 'balance_short')) continue;
    sums.set(lease.price.denom, (sums.get(lease.price.denom) ?? 0n) + cost);
  }
  return sums;
};

const providerSamples = (
  provider: string,
  coins: ReadonlyMap<string, bigint>,
  reading: RenewalsReading,
): readonly Sample[] => {
  const own = [...reading.renewals.values()].filter(({ lease }) => lease.provAddress === provider);
  // A provider without leases is watched too; its balance pays for its next lease.
  const denoms = new Set([nativeDenom, ...own.map(({ lease }) => lease.price.denom).filter((denom) => denom !== '')]);
  return [
    ...[...denoms].map((denom) => sample(balance, [provider, denom], Number(coins.get(denom) ?? 0n))),
    ...horizons.flatMap(([within, spanMs]) => {
      if (reading.nowMs === undefined) return [];
      const sums = renewalsAhead(reading, provider, reading.nowMs + spanMs);
      return [...denoms].map((denom) => sample(ahead, [provider, denom, within], Number(sums.get(denom) ?? 0n)));
    }),
  ];
};

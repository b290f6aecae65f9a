import { convertAddress } from '@hubwatch/client/address';
import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { hoursIncome } from '../../forecast/expected-income.js';
import type { LeaseOutlook } from '../../forecast/lease-renewal.js';
import { leaseTerms } from '../../forecast/lease-terms.js';
import { type ExpectedIncome, lookAtTogether } from '../../forecast/renewal-timeline.js';
import { msOf } from '../times.js';
import type { RenewalRecords } from './renewal-facts.js';
import type { IncomeAsked } from './subscription-income.js';

/** A lease and its outlook at the end of its term. */
export interface LeaseRenewal extends LeaseOutlook {
  readonly lease: Lease;
}

/** Renewals within this time are examined in full, regardless of the number of requests. */
export const renewalHorizonMs = 86_400_000;
/** Hourly payouts on own nodes are counted this far ahead. */
const hoursAheadMs = 7 * 86_400_000;
export const endsAt = (lease: Lease): Timestamp | undefined => leaseTerms(lease)?.endsAt;

/** Order in which the chain processes leases: by the end of the term, then by id. */
export const inOrder = (leases: readonly Lease[]): readonly Lease[] =>
  leases
    .map((lease) => ({ lease, end: endsAt(lease) ?? { seconds: 0n, nanos: 0 } }))
    .toSorted(
      (a, b) =>
        compare(a.end.seconds, b.end.seconds) || compare(a.end.nanos, b.end.nanos) || compare(a.lease.id, b.lease.id),
    )
    .map(({ lease }) => lease);

const compare = <T extends bigint | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Computes the outlook of leases, in their order. */
export const outlooks = (
  all: readonly Lease[],
  { params, assets, providers, nodes }: RenewalRecords,
  income: ReadonlyMap<string, readonly ExpectedIncome[]> = new Map(),
): readonly LeaseRenewal[] => {
  const told = lookAtTogether(
    all,
    ({ provAddress, nodeAddress }) => ({
      providerStatus: providers.get(provAddress)?.status,
      node: nodes.get(nodeAddress),
      params,
      assets,
    }),
    (provider, denom) => {
      const known = providers.get(provider);
      return known && (known.balances.get(denom) ?? 0n);
    },
    (provider) => income.get(provider) ?? [],
  );
  return all.flatMap((lease, index) => {
    const outlook = told[index];
    return outlook === undefined ? [] : [{ lease, ...outlook }];
  });
};

/** Income of providers from leases on their own nodes, paid to the same account. */
export const hoursOnOwnNodes = (
  all: readonly Lease[],
  { providers, params }: RenewalRecords,
  nowMs: number | undefined,
): ReadonlyMap<string, readonly ExpectedIncome[]> => {
  const income = new Map<string, ExpectedIncome[]>();
  if (nowMs === undefined) return income;
  const untilSeconds = BigInt(Math.ceil((nowMs + hoursAheadMs) / 1_000));
  const own = new Map([...providers.keys()].map((provider) => [convertAddress(provider, 'node'), provider]));
  for (const lease of all) {
    const provider = own.get(lease.nodeAddress);
    if (provider === undefined) continue;
    const found = income.get(provider) ?? [];
    income.set(provider, found);
    found.push(...hoursIncome(lease, params.stakingShare, untilSeconds));
  }
  return income;
};

/** Providers of watched leases whose term ends soon and whose renewal depends only on the balance. */
export const providersThatMayFallShort = (
  all: readonly LeaseRenewal[],
  isWatched: (lease: Lease) => boolean,
  nowMs: number | undefined,
): readonly IncomeAsked[] => {
  const found = new Map<string, IncomeAsked>();
  for (const { lease, preconditions } of all) {
    const { provAddress: provider, price } = lease;
    const end = endsAt(lease);
    if (end === undefined || nowMs === undefined || msOf(end) - nowMs >= renewalHorizonMs || !isWatched(lease))
      continue;
    const lacking = preconditions.filter(({ holds }) => holds !== true);
    if (lacking.length === 0 || lacking.some(({ reason }) => reason !== 'balance_short')) continue;
    const { denoms = [], untilMs = 0 } = found.get(provider) ?? {};
    found.set(provider, {
      provider,
      denoms: [...new Set([...denoms, price.denom])],
      untilMs: Math.max(untilMs, msOf(end)),
    });
  }
  return [...found.values()];
};

/** Nodes whose leases affect whether the balance is enough for a watched lease whose term ends soon. */
export const nodesThatDecide = (
  all: readonly LeaseRenewal[],
  isWatched: (lease: Lease) => boolean,
  nowMs: number | undefined,
): readonly string[] =>
  all.flatMap(({ lease, forecast, preconditions }, at) => {
    const end = endsAt(lease);
    const isSoon = end === undefined || nowMs === undefined || msOf(end) - nowMs < renewalHorizonMs;
    const isOpen = preconditions.some(({ reason, holds }) => reason === 'balance_short' && holds === undefined);
    if (forecast !== undefined || !isOpen || !isSoon || !isWatched(lease)) return [];
    const { provAddress, price } = lease;
    return all
      .slice(0, at)
      .filter((before) => before.lease.provAddress === provAddress && before.lease.price.denom === price.denom)
      .map((before) => before.lease.nodeAddress);
  });

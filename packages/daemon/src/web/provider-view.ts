import { convertAddress } from '@hubwatch/client/address';
import { leaseRenewals, renewalsAhead, renewalsTarget } from '../checks/lease/lease-renewals.js';
import { renewalHorizonMs } from '../checks/lease/renewal-outlooks.js';
import { committedOf, type ProviderTarget, watchedProviders } from '../checks/provider/watched-providers.js';
import { watchedPlans } from '../checks/plan/watched-plans.js';
import type { BlockHead } from '../endpoints/head.js';
import type { LedgerRow } from '../ledger/ledger-row.js';
import type { Observations } from '../observations/observations.js';
import { cut } from '../words.js';
import { leaseView } from './lease-view.js';
import { notAsked, readAt } from './not-read.js';
import { plansView } from './plan-view.js';

/** Maximum number of denominations shown per provider. */
const denomsShown = 20;
/** Maximum number of leases shown per provider; metrics cover all leases. */
const leasesShown = 500;

/**
 * View model of a watched provider for the page and the JSON API. Amounts are strings in the base unit of the
 * denomination.
 */
export const providerView = (
  { key, alias }: ProviderTarget,
  observations: Pick<Observations, 'outcome'>,
  head: BlockHead | undefined,
  ends: readonly LedgerRow[],
) => {
  const outcome = observations.outcome(watchedProviders, key);
  const who = { address: key, alias: alias === '' ? undefined : alias, account: convertAddress(key, 'account') };
  if (outcome?.state !== 'known') return { ...who, notRead: cut(outcome?.text ?? notAsked, 200) };
  const { status, name, leases, deposit } = outcome.reading;
  const renewals = observations.outcome(leaseRenewals, renewalsTarget.key);
  const known = renewals?.state === 'known' ? renewals.reading : undefined;
  const within = (ms: number): ReadonlyMap<string, bigint> | undefined =>
    known && head && renewalsAhead(known, key, head.timeMs + ms);
  const day = within(renewalHorizonMs);
  const week = within(7 * renewalHorizonMs);
  const committed = committedOf(leases);
  const plans = observations.outcome(watchedPlans, key);
  return {
    ...who,
    readAt: { provider: readAt(outcome), plans: readAt(plans), renewals: readAt(renewals) },
    status,
    name: cut(name, 200),
    ...(plans?.state === 'known' ? plansView(plans.reading, key, ends) : { plans: undefined, income: undefined }),
    leaseCount: leases.length,
    leases: leases.slice(0, leasesShown).map((lease) => leaseView(lease, observations, head)),
    money: [...new Set([...committed.keys(), ...deposit.map(({ denom }) => denom)])]
      .slice(0, denomsShown)
      .map((denom) =>
        moneyOf(denom, {
          balance: known && (known.balances.get(key)?.get(denom) ?? 0n),
          deposit: BigInt(deposit.find((coin) => coin.denom === denom)?.amount ?? '0'),
          committed: committed.get(denom) ?? 0n,
          day: day && (day.get(denom) ?? 0n),
          week: week && (week.get(denom) ?? 0n),
        }),
      ),
  };
};

interface Amounts {
  readonly balance: bigint | undefined;
  readonly deposit: bigint;
  readonly committed: bigint;
  readonly day: bigint | undefined;
  readonly week: bigint | undefined;
}

const moneyOf = (denom: string, { balance, deposit, committed, day, week }: Amounts) => ({
  denom: cut(denom, 200),
  balance: textOf(balance),
  deposit: textOf(deposit),
  /** Part of the deposit that is committed to remaining lease payments. */
  committed: textOf(committed),
  isCovered: deposit >= committed,
  renewalsIn24h: textOf(day),
  renewalsIn7d: textOf(week),
  /** Whether the balance covers the renewals of the next 24 hours. */
  reaches: balance === undefined || day === undefined ? undefined : balance >= day,
});

export type ProviderView = ReturnType<typeof providerView>;

const textOf = <T extends bigint | undefined>(amount: T): T extends bigint ? string : string | undefined =>
  (amount === undefined ? undefined : cut(String(amount), 200)) as T extends bigint ? string : string | undefined;

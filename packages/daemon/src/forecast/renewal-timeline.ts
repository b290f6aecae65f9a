import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { type LeaseForecast, type LeaseOutlook, lookAtLease } from './lease-renewal.js';
import type { RenewalFacts } from './renewal-preconditions.js';
import { leaseTerms } from './lease-terms.js';
import { boundless, changed, fullPurse, type OpenMatter, type Purse, type PurseChange } from './purse.js';
import { createTimeline } from './timeline.js';

/** Income of a provider's account that the chain pays without any action. */
export interface ExpectedIncome {
  /** Deadline at which it is paid. */
  readonly at: Timestamp;
  readonly denom: string;
  readonly amount: bigint;
  /** Whether it is certain in the current state; otherwise it is possible. */
  readonly isSure: boolean;
  readonly from: Extract<OpenMatter, 'hours' | 'subscriptions'>;
}

/** Facts of a lease without the balance of its provider. */
export type LeaseFacts = Omit<RenewalFacts, 'purse'>;

const nanosOfHour = 3_600_000_000_000n;
/**
 * Deadlines are processed in the first block at or after them, and leases before all income of the same block. Events within
 * this time before the end of a term may be in the same block.
 */
const sameBlockNs = 90_000_000_000n;
/** A renewed term starts with the block, up to this much later than the end of the previous term. */
const driftNs = 60_000_000_000n;
/** How far terms after a renewal are followed, from the earliest end. */
const followedNs = 7n * 24n * nanosOfHour;

/** Maximum number of terms that are followed, because a list of leases may have any length. */
const mostFollowed = 20_000;

/** Order at the same time: a block with two deadlines renews leases before it pays income. */
const ranks = { lease: 0, income: 1 } as const;

/**
 * Checks leases as their terms end, in the order of the chain. Each renewal reduces the provider's balance for the next one. A
 * short lease may be renewed several times within the term of a longer one. Income in between is added. An uncertain step makes
 * the remaining balance unknown.
 * @param due in the order in which the chain handles leases whose terms end together
 * @param balanceOf balance of a provider in a denomination at the beginning
 * @param incomeOf expected income of a provider's account
 */
export const lookAtTogether = (
  due: readonly Lease[],
  factsOf: (lease: Lease) => LeaseFacts,
  balanceOf: (provider: string, denom: string) => bigint | undefined,
  incomeOf: (provider: string) => readonly ExpectedIncome[] = () => [],
): readonly LeaseOutlook[] => {
  const outlooks = new Map<Lease, LeaseOutlook>();
  const budget = { left: mostFollowed };
  for (const leases of grouped(due)) {
    const [{ provAddress, price }] = leases;
    const balance = balanceOf(provAddress, price.denom);
    const income = incomeOf(provAddress).filter(({ denom }) => denom === price.denom);
    const purse = balance === undefined ? undefined : fullPurse(balance);
    for (const [lease, outlook] of follow(leases, { factsOf, purse, income, budget })) outlooks.set(lease, outlook);
  }
  return due.map((lease) => outlooks.get(lease) ?? lookAtLease(lease, { ...factsOf(lease), purse: undefined }));
};

/** Forecasts leases that end together. @see lookAtTogether */
export const forecastTogether = (
  ...together: Parameters<typeof lookAtTogether>
): readonly (LeaseForecast | undefined)[] => lookAtTogether(...together).map(({ forecast }) => forecast);

/** Leases of one provider in one denomination, in their order. */
const grouped = (due: readonly Lease[]): Iterable<readonly [Lease, ...Lease[]]> => {
  const groups = new Map<string, [Lease, ...Lease[]]>();
  for (const lease of due) {
    const key = `${lease.provAddress} ${lease.price.denom}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [lease]);
    else group.push(lease);
  }
  return groups.values();
};

interface FollowParts {
  readonly factsOf: (lease: Lease) => LeaseFacts;
  /** Balance of the provider at the beginning. */
  readonly purse: Purse | undefined;
  readonly income: readonly ExpectedIncome[];
  /** Number of later terms that may still be followed. */
  readonly budget: { left: number };
}

/** Follows the leases of one provider in one denomination. */
const follow = (leases: readonly Lease[], parts: FollowParts): ReadonlyMap<Lease, LeaseOutlook> => {
  const { factsOf, income, budget } = parts;
  const outlooks = new Map<Lease, LeaseOutlook>();
  const timeline = createTimeline();
  let { purse } = parts;
  const change = (by: PurseChange): void => {
    purse = purse && changed(purse, by);
  };
  const ends = leases.map((lease) => endNs(lease));
  const incomeNs = income.map(({ at }) => nanosOf(at));
  const lastNs = ends.reduce((last, end) => (end > last ? end : last), 0n);
  const followedTo = ends.reduce((first, end) => (end < first ? end : first), lastNs) + followedNs;

  /** Processes the end of a term: the current term of a lease, or a later one after `renewals` renewals. */
  const endOfTerm = (lease: Lease, now: Lease, atNs: bigint, { renewals, isSure }: Followed): void => {
    const outlook = lookAtLease(now, { ...factsOf(lease), purse });
    if (renewals === 0) outlooks.set(lease, outlook);
    const { forecast } = outlook;
    const overNs = atNs + BigInt(renewals) * driftNs + sameBlockNs;
    // Income that arrives before the actual end of the term may still pay for the next one.
    const mayBePaid = renewals > 0 && incomeNs.some((ns) => ns >= atNs && ns <= overNs);
    if (forecast?.renews === false && !mayBePaid) return;
    const renewal = forecast?.renews === true ? forecast : undefined;
    const takes = isSure && renewal !== undefined;
    const cost = renewal?.deposit ?? mostTaken(now);
    if (renewals === 0)
      change(takes ? { least: -cost, most: -cost, renewals: 1 } : { least: -cost, opens: 'renewals' });
    else {
      // Its term began some blocks later than calculated, so it may not be over yet.
      change({ least: -cost, taking: cost, opens: takes ? 'order' : 'renewals' });
      timeline.add(overNs, ranks.income, () =>
        change(takes ? { taking: -cost, most: -cost, renewals: 1, closes: 'order' } : { taking: -cost }),
      );
    }
    next(lease, renewed(now, renewal?.price), atNs, { renewals: renewals + 1, isSure: takes });
  };
  const next = (lease: Lease, now: Lease, atNs: bigint, followed: Followed): void => {
    const end = atNs + now.maxHours * nanosOfHour;
    if (now.maxHours <= 0n || end > lastNs) return;
    budget.left -= 1;
    // Terms beyond the limit are not followed individually: they may use the whole remaining balance.
    if (end > followedTo || budget.left < 0)
      timeline.add(end, ranks.lease, () => change({ least: -boundless, opens: 'renewals' }));
    else timeline.add(end, ranks.lease, () => endOfTerm(lease, now, end, followed));
  };

  for (const [at, lease] of leases.entries())
    timeline.add(ends[at] ?? 0n, ranks.lease, () =>
      endOfTerm(lease, lease, ends[at] ?? 0n, { renewals: 0, isSure: true }),
    );
  for (const { at, amount, isSure, from } of income) {
    const atNs = nanosOf(at);
    if (!isSure) {
      timeline.add(atNs, ranks.income, () => change({ most: amount, opens: from }));
      continue;
    }
    timeline.add(atNs, ranks.income, () => change({ most: amount, coming: amount, opens: 'order' }));
    timeline.add(atNs + sameBlockNs, ranks.income, () =>
      change({ least: amount, coming: -amount, income: amount, closes: 'order' }),
    );
  }
  timeline.run();
  return outlooks;
};

/** Position of a term in the sequence of renewals. */
interface Followed {
  /** Number of renewals since the current term. */
  readonly renewals: number;
  /** Whether the previous renewals are certain. */
  readonly isSure: boolean;
}

/** Maximum cost of a renewal. Its price is at most the current one, but a price converted from a base value may cost more. */
const mostTaken = ({ maxHours, price }: Lease): bigint =>
  isFixed(price) ? maxHours * BigInt(price.quoteValue) : boundless;

const isFixed = ({ baseValue }: Price): boolean => /^[0.]*$/.test(baseValue);

const renewed = (lease: Lease, price: Price | undefined): Lease => (price === undefined ? lease : { ...lease, price });

/** A lease without a start comes from another release; it is processed first. */
const endNs = (lease: Lease): bigint => {
  const end = leaseTerms(lease)?.endsAt;
  return end === undefined ? 0n : nanosOf(end);
};

const nanosOf = ({ seconds, nanos }: Timestamp): bigint => seconds * 1_000_000_000n + BigInt(nanos);

import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { type LeaseForecast, type LeaseOutlook, lookAtLease } from './lease-renewal.js';
import type { RenewalFacts } from './renewal-preconditions.js';
import { leaseTerms } from './lease-terms.js';
import { boundless, changed, fullPurse, type OpenMatter, type Purse, type PurseChange } from './purse.js';
import { createTimeline } from './timeline.js';

/** What comes in on a provider's account by the rules of the chain, without anybody's doing. */
export interface ExpectedIncome {
  /** Deadline that brings it. */
  readonly at: Timestamp;
  readonly denom: string;
  readonly amount: bigint;
  /** Whether it comes as things stand; otherwise it may. */
  readonly isSure: boolean;
  readonly from: Extract<OpenMatter, 'hours' | 'subscriptions'>;
}

/** Facts of a lease but for what its provider has. */
export type LeaseFacts = Omit<RenewalFacts, 'purse'>;

const nanosOfHour = 3_600_000_000_000n;
/**
 * A deadline is met in the first block at or after it, and leases come before all that brings money in a block. What lies as
 * close as this before the end of a term may be of the same block.
 */
const sameBlockNs = 90_000_000_000n;
/** A term that is renewed begins with the block, up to so much later than the one before it ended. */
const driftNs = 60_000_000_000n;
/** Terms that begin after a renewal are followed so far from the first moment. */
const followedNs = 7n * 24n * nanosOfHour;

/** Terms that are followed in all: a list of leases may be of any length. */
const mostFollowed = 20_000;

/** In one moment of a timeline: a block that meets two deadlines renews leases before it pays anybody. */
const ranks = { lease: 0, income: 1 } as const;

/**
 * Checks leases as their terms end, in the order of the chain. Each renewal reduces the provider's balance for the next one,
 * a short lease once per renewal within the term of a longer one, and income in between is added. An uncertain step makes
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
  /** What the provider has at the beginning. */
  readonly purse: Purse | undefined;
  readonly income: readonly ExpectedIncome[];
  /** Terms after the present ones that may still be followed. */
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

  /** The end of a term: the present one of a lease, or one that follows when it was renewed so many times. */
  const endOfTerm = (lease: Lease, now: Lease, atNs: bigint, { renewals, isSure }: Followed): void => {
    const outlook = lookAtLease(now, { ...factsOf(lease), purse });
    if (renewals === 0) outlooks.set(lease, outlook);
    const { forecast } = outlook;
    const overNs = atNs + BigInt(renewals) * driftNs + sameBlockNs;
    // What comes in before the term is over in truth may still pay for the next one.
    const mayBePaid = renewals > 0 && incomeNs.some((ns) => ns >= atNs && ns <= overNs);
    if (forecast?.renews === false && !mayBePaid) return;
    const renewal = forecast?.renews === true ? forecast : undefined;
    const takes = isSure && renewal !== undefined;
    const cost = renewal?.deposit ?? mostTaken(now);
    if (renewals === 0)
      change(takes ? { least: -cost, most: -cost, renewals: 1 } : { least: -cost, opens: 'renewals' });
    else {
      // Its term began some blocks later than reckoned, so that it may not be over yet.
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
    // So many terms are not followed one by one: they may take whatever is left.
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

/** Where a term stands in what is followed. */
interface Followed {
  /** Renewals since the present term. */
  readonly renewals: number;
  /** Whether the renewals before it are sure. */
  readonly isSure: boolean;
}

/** A renewal takes no higher price than the present one; what is converted from a base value may still cost more. */
const mostTaken = ({ maxHours, price }: Lease): bigint =>
  isFixed(price) ? maxHours * BigInt(price.quoteValue) : boundless;

const isFixed = ({ baseValue }: Price): boolean => /^[0.]*$/.test(baseValue);

const renewed = (lease: Lease, price: Price | undefined): Lease => (price === undefined ? lease : { ...lease, price });

/** A lease without a start is none of this release; it is looked at first. */
const endNs = (lease: Lease): bigint => {
  const end = leaseTerms(lease)?.endsAt;
  return end === undefined ? 0n : nanosOf(end);
};

const nanosOf = ({ seconds, nanos }: Timestamp): bigint => seconds * 1_000_000_000n + BigInt(nanos);

/** Balance of a provider in one denomination at a future time, as a range between certain and possible values. */
export interface Purse {
  /** Remaining balance in the best case: open income arrives, and open renewals do not take place. */
  readonly most: bigint;
  /**
   * Remaining balance if every open renewal takes place and only certain income arrives. Negative if renewals may have used
   * income that arrives at about this time.
   */
  readonly least: bigint;
  /** Income that is certain to arrive at about this time and may have arrived already. */
  readonly coming: bigint;
  /** Amount that is charged at about this time, possibly a little later. */
  readonly taking: bigint;
  /** Part of that amount that the balance did not cover, so that the next income may pay for it. */
  readonly owed: bigint;
  /** Number of renewals that were certainly charged. */
  readonly renewals: number;
  /** Income that has certainly arrived. */
  readonly income: bigint;
  /** Reasons for the difference between `most` and `least`, with their counts. */
  readonly open: ReadonlyMap<OpenMatter, number>;
}

/** Reason why the remaining balance is open. */
export type OpenMatter = 'renewals' | 'order' | 'hours' | 'subscriptions';

/** Texts for sentences about the reasons. */
export const openWords: Readonly<Record<OpenMatter, string>> = {
  renewals: 'renewals before it',
  order: 'what comes in or is renewed within minutes of it',
  hours: 'hours of leases on the own node that are to be paid before it',
  subscriptions: 'renewals of subscriptions to its plans before it',
};

/** More than any real amount: used if the possible income is unknown. */
export const boundless = 10n ** 80n;

export const fullPurse = (balance: bigint): Purse => ({
  most: balance,
  least: balance,
  coming: 0n,
  taking: 0n,
  owed: 0n,
  renewals: 0,
  income: 0n,
  open: new Map(),
});

/**
 * A change of a purse. Both bounds change independently: an amount charged to `least` may be charged to `most` later or never.
 */
export interface PurseChange {
  readonly most?: bigint;
  readonly least?: bigint;
  readonly coming?: bigint;
  readonly taking?: bigint;
  readonly renewals?: number;
  readonly income?: bigint;
  /** Reason to add to `open`. */
  readonly opens?: OpenMatter;
  /** Reason to remove from `open`. */
  readonly closes?: OpenMatter;
}

export const changed = (purse: Purse, change: PurseChange): Purse => {
  const { most = 0n, least = 0n, renewals = 0, income = 0n, opens, closes } = change;
  const coming = purse.coming + (change.coming ?? 0n);
  const taking = purse.taking + (change.taking ?? 0n);
  // Charges are limited to the available amount: the balance and possible income.
  const wanted = purse.least + least - purse.owed;
  const left = greater(wanted, -coming);
  return {
    most: purse.most + most,
    least: left,
    coming,
    taking,
    owed: -greater(wanted - left, -taking),
    renewals: purse.renewals + renewals,
    income: purse.income + income,
    open: counted(counted(purse.open, opens, 1), closes, -1),
  };
};

const counted = (open: Purse['open'], matter: OpenMatter | undefined, by: number): Purse['open'] => {
  if (matter === undefined) return open;
  const others = [...open].filter(([one]) => one !== matter);
  const count = (open.get(matter) ?? 0) + by;
  return new Map(count > 0 ? [...others, [matter, count]] : others);
};

const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other);

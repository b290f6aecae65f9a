/** What a provider has of one denomination at a moment to come, between what is sure and what may be. */
export interface Purse {
  /** What is left if all that is open goes well. */
  readonly most: bigint;
  /**
   * What is left if every renewal that is open takes place and nothing comes in that is not sure. Below 0 where renewals may have
   * taken of what comes in about now.
   */
  readonly least: bigint;
  /** What is sure to come in about now, and may have come already. */
  readonly coming: bigint;
  /** What is taken about now, and may be taken a little later. */
  readonly taking: bigint;
  /** What of that there was nothing left for, so that it may be taken of what comes in next. */
  readonly owed: bigint;
  /** Renewals that are sure to have taken their part. */
  readonly renewals: number;
  /** What is sure to have come in. */
  readonly income: bigint;
  /** What the difference between most and least is made of, and how often. */
  readonly open: ReadonlyMap<OpenMatter, number>;
}

/** Why it is open how much is left. */
export type OpenMatter = 'renewals' | 'order' | 'hours' | 'subscriptions';

/** What a sentence says that depends on it. */
export const openWords: Readonly<Record<OpenMatter, string>> = {
  renewals: 'renewals before it',
  order: 'what comes in or is renewed within minutes of it',
  hours: 'hours of leases on the own node that are to be paid before it',
  subscriptions: 'renewals of subscriptions to its plans before it',
};

/** More than there is of anything: where it is not known how much may come. */
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

/** A change of a purse; each bound on its own, as what takes from the least may take from the most later or never. */
export interface PurseChange {
  readonly most?: bigint;
  readonly least?: bigint;
  readonly coming?: bigint;
  readonly taking?: bigint;
  readonly renewals?: number;
  readonly income?: bigint;
  /** What is open from now on. */
  readonly opens?: OpenMatter;
  /** What no longer is. */
  readonly closes?: OpenMatter;
}

export const changed = (purse: Purse, change: PurseChange): Purse => {
  const { most = 0n, least = 0n, renewals = 0, income = 0n, opens, closes } = change;
  const coming = purse.coming + (change.coming ?? 0n);
  const taking = purse.taking + (change.taking ?? 0n);
  // Nobody takes more than there is: what was there and what may have come in.
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

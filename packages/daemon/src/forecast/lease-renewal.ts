import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import type { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { RenewalBlocker } from './renewal-blockers.js';
import { type Precondition, renewalPreconditions } from './renewal-preconditions.js';

export type LeaseForecast =
  | {
      readonly renews: true;
      /** What each hour of the new term pays. */
      readonly price: Price;
      /** Moves from the provider's balance into its deposit. */
      readonly deposit: bigint;
      readonly sentence: string;
    }
  | {
      readonly renews: false;
      /** The first reason that the chain meets, of those that are known. */
      readonly reason: RenewalBlocker;
      readonly sentence: string;
    };

/** What the chain looks at when a term is over; whatever could not be read is `undefined` and leaves the answer open. */
export interface RenewalFacts {
  readonly providerStatus: Status | undefined;
  readonly node: Pick<Node, 'status' | 'hourlyPrices'> | undefined;
  readonly params: Pick<Params, 'minHours' | 'maxHours'> | undefined;
  readonly assets: readonly Pick<Asset, 'denom' | 'spotPrice'>[];
  /** Spendable balance of the provider's account in the lease's denomination. */
  readonly balance: bigint | undefined;
  /** What is left of `balance` if every renewal that is open takes place before this one; `balance` when left out. */
  readonly atLeast?: bigint | undefined;
  /** Renewals of the same provider that `balance` was lessened by. */
  readonly renewalsBefore?: number;
}

/** A lease's renewal: the forecast, and every precondition that it stands on. */
export interface LeaseOutlook {
  /** `undefined` when a fact that decides is not known. */
  readonly forecast: LeaseForecast | undefined;
  readonly preconditions: readonly Precondition[];
  /** What the new term would cost the provider; `undefined` when the node has no price for it. */
  readonly cost: bigint | undefined;
}

/**
 * Whether the chain would renew a lease if its term were over now, with each precondition. One that fails decides, whatever
 * else is not known. @source hub messages §5.3
 */
export const lookAtLease = (lease: Lease, facts: RenewalFacts): LeaseOutlook => {
  const { preconditions, price } = renewalPreconditions(lease, facts);
  const cost = price && lease.maxHours * BigInt(price.quoteValue);
  const failing = preconditions.find(({ holds }) => holds === false);
  if (failing !== undefined) {
    const { reason, sentence } = failing;
    return { preconditions, cost, forecast: { renews: false, reason, sentence: `ends: ${sentence}` } };
  }
  if (price === undefined || cost === undefined || preconditions.some(({ holds }) => holds === undefined)) {
    return { preconditions, cost, forecast: undefined };
  }
  const { denom } = lease.price;
  const prices = `${price.quoteValue} ${denom} an hour, now ${lease.price.quoteValue}`;
  const sentence = `renews for ${lease.maxHours} h at ${prices}`;
  return { preconditions, cost, forecast: { renews: true, price, deposit: cost, sentence } };
};

/** Whether the chain would renew a lease if its term were over now. `undefined` when a fact that decides is not known. */
export const forecastLease = (lease: Lease, facts: RenewalFacts): LeaseForecast | undefined =>
  lookAtLease(lease, facts).forecast;

/** What a provider has left in a denomination, between the least and the most that open renewals leave. */
interface Purse {
  readonly most: bigint;
  readonly least: bigint;
  readonly renewals: number;
}

/**
 * Looks at leases that end one after another or together: each renewal takes from what its provider has left for the next,
 * and one that is open leaves it open how much that is.
 * @param due in the order in which the chain handles them
 * @param factsOf facts of a lease without the balance
 * @param balanceOf balance of a provider in a denomination at the beginning
 */
export const lookAtTogether = (
  due: readonly Lease[],
  factsOf: (lease: Lease) => Omit<RenewalFacts, 'balance' | 'atLeast' | 'renewalsBefore'>,
  balanceOf: (provider: string, denom: string) => bigint | undefined,
): readonly LeaseOutlook[] => {
  const purses = new Map<string, Purse | undefined>();
  return due.map((lease) => {
    const key = `${lease.provAddress} ${lease.price.denom}`;
    const purse = purses.has(key) ? purses.get(key) : fullPurse(balanceOf(lease.provAddress, lease.price.denom));
    const outlook = lookAtLease(lease, {
      ...factsOf(lease),
      balance: purse?.most,
      atLeast: purse?.least,
      renewalsBefore: purse?.renewals ?? 0,
    });
    purses.set(key, purse && afterRenewal(purse, lease, outlook));
    return outlook;
  });
};

/** Forecasts leases that end together. @see lookAtTogether */
export const forecastTogether = (
  ...together: Parameters<typeof lookAtTogether>
): readonly (LeaseForecast | undefined)[] => lookAtTogether(...together).map(({ forecast }) => forecast);

const fullPurse = (balance: bigint | undefined): Purse | undefined =>
  balance === undefined ? undefined : { most: balance, least: balance, renewals: 0 };

const afterRenewal = (purse: Purse, { maxHours, price }: Lease, { forecast }: LeaseOutlook): Purse => {
  const { most, least, renewals } = purse;
  if (forecast?.renews === false) return purse;
  if (forecast?.renews === true) {
    return { most: most - forecast.deposit, least: atLeastNothing(least - forecast.deposit), renewals: renewals + 1 };
  }
  // A renewal takes no higher price than the present one; what is converted from a base value may still cost more.
  const mostTaken = isFixed(price) ? maxHours * BigInt(price.quoteValue) : least;
  return { ...purse, least: atLeastNothing(least - mostTaken) };
};

const isFixed = ({ baseValue }: Price): boolean => /^[0.]*$/.test(baseValue);
const atLeastNothing = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

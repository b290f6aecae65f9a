import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import type { Purse } from './purse.js';
import type { RenewalBlocker } from './renewal-blockers.js';
import { type Precondition, type RenewalFacts, renewalPreconditions } from './renewal-preconditions.js';
import { amountText } from '../words.js';

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

/** A lease's renewal: the forecast, and every precondition that it stands on. */
export interface LeaseOutlook {
  /** `undefined` when a fact that decides is not known. */
  readonly forecast: LeaseForecast | undefined;
  readonly preconditions: readonly Precondition[];
  /** What the new term would cost the provider; `undefined` when the node has no price for it. */
  readonly cost: bigint | undefined;
  /** What the provider has when the term is over; `undefined` when its balance is not known. */
  readonly purse: Purse | undefined;
}

/**
 * Whether the chain would renew a lease if its term ended now, with each precondition. One failed precondition decides, even
 * if others are unknown.
 */
export const lookAtLease = (lease: Lease, facts: RenewalFacts): LeaseOutlook => {
  const { preconditions, price } = renewalPreconditions(lease, facts);
  const cost = price && lease.maxHours * BigInt(price.quoteValue);
  const known = { preconditions, cost, purse: facts.purse };
  const failing = preconditions.find(({ holds }) => holds === false);
  if (failing !== undefined) {
    const { reason, sentence } = failing;
    return { ...known, forecast: { renews: false, reason, sentence: `ends: ${sentence}` } };
  }
  if (price === undefined || cost === undefined || preconditions.some(({ holds }) => holds === undefined)) {
    return { ...known, forecast: undefined };
  }
  const { denom } = lease.price;
  const prices = `${amountText(price.quoteValue, denom)} an hour, now ${amountText(lease.price.quoteValue, denom)}`;
  const sentence = `renews for ${lease.maxHours} h at ${prices}`;
  return { ...known, forecast: { renews: true, price, deposit: cost, sentence } };
};

/** Whether the chain would renew a lease if its term were over now. `undefined` when a fact that decides is not known. */
export const forecastLease = (lease: Lease, facts: RenewalFacts): LeaseForecast | undefined =>
  lookAtLease(lease, facts).forecast;

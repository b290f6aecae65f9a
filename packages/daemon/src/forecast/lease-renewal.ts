import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import type { Purse } from './purse.js';
import type { RenewalBlocker } from './renewal-blockers.js';
import { type Precondition, type RenewalFacts, renewalPreconditions } from './renewal-preconditions.js';
import { amountText } from '../words.js';

export type LeaseForecast =
  | {
      readonly renews: true;
      /** Hourly payment of the new term. */
      readonly price: Price;
      /** Amount moved from the provider's balance into its deposit. */
      readonly deposit: bigint;
      readonly sentence: string;
    }
  | {
      readonly renews: false;
      /** The first reason in the order of the chain, among the known ones. */
      readonly reason: RenewalBlocker;
      readonly sentence: string;
    };

/** Outlook of a lease's renewal: the forecast, and every precondition that it depends on. */
export interface LeaseOutlook {
  /** `undefined` if a deciding fact is not known. */
  readonly forecast: LeaseForecast | undefined;
  readonly preconditions: readonly Precondition[];
  /** Cost of the new term for the provider; `undefined` if the node has no price for it. */
  readonly cost: bigint | undefined;
  /** Balance of the provider at the end of the term; `undefined` if it is not known. */
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

/** Whether the chain would renew a lease if its term ended now. `undefined` if a deciding fact is not known. */
export const forecastLease = (lease: Lease, facts: RenewalFacts): LeaseForecast | undefined =>
  lookAtLease(lease, facts).forecast;

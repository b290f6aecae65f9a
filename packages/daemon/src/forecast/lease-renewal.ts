import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { enumText } from '../enum-text.js';
import { quotedPrice } from './quoted-price.js';
import { isAllowed, priceStep } from './renewal-policy.js';

/** Why a lease ends instead of being renewed, the first reason that the chain meets. */
export type RefusedRenewal =
  | 'policy_off'
  | 'provider_inactive'
  | 'node_inactive'
  | 'term_out_of_bounds'
  | 'not_sold'
  | 'price_higher'
  | 'policy_refuses'
  | 'policy_unknown'
  | 'balance_short';

export type LeaseForecast =
  | {
      readonly renews: true;
      /** What each hour of the new term pays. */
      readonly price: Price;
      /** Moves from the provider's balance into its deposit. */
      readonly deposit: bigint;
      readonly sentence: string;
    }
  | { readonly renews: false; readonly reason: RefusedRenewal; readonly sentence: string };

/** What the chain looks at when a term is over; whatever could not be read is `undefined` and leaves the answer open. */
export interface RenewalFacts {
  readonly providerStatus: Status | undefined;
  readonly node: Pick<Node, 'status' | 'hourlyPrices'> | undefined;
  readonly params: Pick<Params, 'minHours' | 'maxHours'> | undefined;
  readonly assets: readonly Pick<Asset, 'denom' | 'spotPrice'>[];
  /** Spendable balance of the provider's account in the lease's denomination. */
  readonly balance: bigint | undefined;
}

/**
 * Whether the chain would renew a lease if its term were over now. `undefined` when a fact that decides is not known.
 * @source hub messages §5.3
 */
export const forecastLease = (lease: Lease, facts: RenewalFacts): LeaseForecast | undefined => {
  const { denom } = lease.price;
  const policy = enumText(RenewalPricePolicyTable, lease.renewalPricePolicy);
  if (lease.renewalPricePolicy === RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED) {
    return ends('policy_off', 'it has no renewal policy');
  }
  const { providerStatus, node, params, balance } = facts;
  if (providerStatus === undefined || node === undefined || params === undefined) return undefined;
  if (providerStatus !== Status.STATUS_ACTIVE) return ends('provider_inactive', 'its provider is not active');
  if (node.status !== Status.STATUS_ACTIVE) return ends('node_inactive', 'its node is not active');
  if (lease.maxHours < params.minHours || lease.maxHours > params.maxHours) {
    const allowed = `${params.minHours} to ${params.maxHours} hours`;
    return ends('term_out_of_bounds', `a term of ${lease.maxHours} hours is no longer allowed (${allowed})`);
  }
  const price = quotedPrice(node.hourlyPrices, denom, facts.assets);
  if (price === undefined) return ends('not_sold', `its node no longer sells hours in ${denom}`);
  const step = priceStep(price, lease.price);
  const prices = `${price.quoteValue} ${denom} an hour, now ${lease.price.quoteValue}`;
  if (step === 'higher') return ends('price_higher', `its node asks more than the lease pays (${prices})`);
  const isFit = isAllowed(lease.renewalPricePolicy, step);
  if (isFit === undefined) return ends('policy_unknown', `its policy ${policy} is not known to this version`);
  if (!isFit) return ends('policy_refuses', `its policy ${policy} refuses the node's price (${prices})`);
  if (balance === undefined) return undefined;
  const deposit = lease.maxHours * BigInt(price.quoteValue);
  if (balance < deposit) {
    return ends('balance_short', `its provider has ${balance} ${denom}, and the new term needs ${deposit}`);
  }
  return { renews: true, price, deposit, sentence: `renews for ${lease.maxHours} hours at ${prices}` };
};

/**
 * Forecasts leases that end together: each renewal takes from what its provider has left for the next.
 * @param due in the order in which the chain handles them
 * @param factsOf facts of a lease without the balance
 * @param balanceOf balance of a provider in a denomination at the beginning
 */
export const forecastTogether = (
  due: readonly Lease[],
  factsOf: (lease: Lease) => Omit<RenewalFacts, 'balance'>,
  balanceOf: (provider: string, denom: string) => bigint | undefined,
): readonly (LeaseForecast | undefined)[] => {
  const left = new Map<string, bigint | undefined>();
  return due.map((lease) => {
    const purse = `${lease.provAddress} ${lease.price.denom}`;
    const balance = left.has(purse) ? left.get(purse) : balanceOf(lease.provAddress, lease.price.denom);
    const forecast = forecastLease(lease, { ...factsOf(lease), balance });
    left.set(purse, forecast?.renews === true && balance !== undefined ? balance - forecast.deposit : balance);
    return forecast;
  });
};

const ends = (reason: RefusedRenewal, because: string): LeaseForecast => ({
  renews: false,
  reason,
  sentence: `ends: ${because}`,
});

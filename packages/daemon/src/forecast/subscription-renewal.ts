import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { shortText } from '../enum-text.js';
import { quotedPrice } from './quoted-price.js';
import { isAllowed, priceStep } from './renewal-policy.js';

/** Why a subscription is cancelled at the end of its period. */
export type RefusedSubscription =
  | 'policy_off'
  | 'plan_inactive'
  | 'not_sold'
  | 'policy_refuses'
  | 'policy_unknown'
  | 'balance_short';

export type SubscriptionForecast =
  | { readonly renews: true; readonly price: Price; readonly sentence: string }
  | { readonly renews: false; readonly reason: RefusedSubscription; readonly sentence: string };

export interface SubscriptionFacts {
  readonly plan: Pick<Plan, 'status' | 'prices'> | undefined;
  readonly assets: readonly Pick<Asset, 'denom' | 'spotPrice'>[];
  /** Spendable balance of the account in the subscription's denomination. */
  readonly balance: bigint | undefined;
}

/**
 * Whether the chain would renew an active subscription if its period ended now; it is cancelled otherwise. A renewal needs
 * an active plan with a price in the denomination, the policy and the balance. `undefined` if a deciding fact is unknown.
 */
export const forecastSubscription = (
  { price: paid, renewalPricePolicy }: Subscription,
  { plan, assets, balance }: SubscriptionFacts,
): SubscriptionForecast | undefined => {
  const { denom } = paid;
  const policy = shortText(RenewalPricePolicyTable, renewalPricePolicy);
  if (renewalPricePolicy === RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED) {
    return ends('policy_off', 'it has no renewal policy');
  }
  if (plan === undefined) return undefined;
  if (plan.status !== Status.STATUS_ACTIVE) return ends('plan_inactive', 'its plan is not active');
  const price = quotedPrice(plan.prices, denom, assets);
  if (price === undefined) return ends('not_sold', `its plan is not sold in ${denom}`);
  const prices = `${price.quoteValue} ${denom}, paid last time ${paid.quoteValue}`;
  const isFit = isAllowed(renewalPricePolicy, priceStep(price, paid));
  if (isFit === undefined) return ends('policy_unknown', `its policy ${policy} is not known to this version`);
  if (!isFit) return ends('policy_refuses', `its policy ${policy} refuses the plan's price (${prices})`);
  if (balance === undefined) return undefined;
  if (balance < BigInt(price.quoteValue)) {
    return ends('balance_short', `its account has ${balance} ${denom}, and the next period costs ${price.quoteValue}`);
  }
  return { renews: true, price, sentence: `renews at ${prices}` };
};

/**
 * Forecasts subscriptions of one account whose periods end one after another. Each renewal reduces the balance for the next,
 * and an open one makes the remaining balance open.
 * @param due in the order of their ends
 */
export const forecastSubscriptions = (
  due: readonly Subscription[],
  factsOf: (subscription: Subscription) => Omit<SubscriptionFacts, 'balance'>,
  balanceOf: (denom: string) => bigint | undefined,
): readonly (SubscriptionForecast | undefined)[] => {
  const left = new Map<string, bigint | undefined>();
  return due.map((subscription) => {
    const { denom } = subscription.price;
    const balance = left.has(denom) ? left.get(denom) : balanceOf(denom);
    const forecast = forecastSubscription(subscription, { ...factsOf(subscription), balance });
    if (forecast === undefined) left.set(denom, undefined);
    else if (forecast.renews && balance !== undefined) left.set(denom, balance - BigInt(forecast.price.quoteValue));
    return forecast;
  });
};

const ends = (reason: RefusedSubscription, because: string): SubscriptionForecast => ({
  renews: false,
  reason,
  sentence: `is cancelled: ${because}`,
});

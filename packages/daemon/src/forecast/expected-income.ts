import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Dec, Timestamp } from '@hubwatch/types/runtime/values';
import { boundless } from './purse.js';
import type { ExpectedIncome } from './renewal-timeline.js';
import { splitPayment } from './share.js';
import { forecastSubscription } from './subscription-renewal.js';

const secondsOfHour = 3_600n;
/** Maximum number of payments considered for one lease or subscription. */
const mostPayments = 500;

/**
 * Income of a provider from a lease on its own node. The hours of the current term are certain unless something changes; the
 * hours of later terms require a renewal. Hour k of a term is paid k hours after its start, less the staking share.
 */
export const hoursIncome = (lease: Lease, stakingShare: Dec, untilSeconds: bigint): readonly ExpectedIncome[] => {
  const { startAt, hours, maxHours, price, renewalPricePolicy } = lease;
  if (startAt === undefined) return [];
  const amount = splitPayment(BigInt(price.quoteValue), stakingShare).toReceiver;
  const found: ExpectedIncome[] = [];
  const mayGoOn = renewalPricePolicy !== RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED;
  for (let hour = hours; found.length < mostPayments && (mayGoOn || hour < maxHours); hour += 1n) {
    const at = { seconds: startAt.seconds + hour * secondsOfHour, nanos: startAt.nanos };
    if (at.seconds > untilSeconds) break;
    found.push({ at, denom: price.denom, amount, isSure: hour < maxHours, from: 'hours' });
  }
  return found;
};

/** The payment of a subscription that is renewed, if its account has the balance. */
export interface DuePayment {
  readonly at: Timestamp;
  readonly account: string;
  readonly denom: string;
  readonly cost: bigint;
  /** Share of the provider. */
  readonly amount: bigint;
}

export interface PlanTerms {
  readonly plan: Pick<Plan, 'status' | 'prices' | 'duration'>;
  readonly assets: readonly Pick<Asset, 'denom' | 'spotPrice'>[];
  readonly stakingShare: Dec;
}

/** Payments of a subscription until a given time, one per period, as far as plan and renewal policy allow. */
export const duePayments = (
  subscription: Subscription,
  { plan, assets, stakingShare }: PlanTerms,
  untilSeconds: bigint,
): readonly DuePayment[] => {
  const found: DuePayment[] = [];
  let { price: paid, inactiveAt: at } = subscription;
  if (subscription.status !== Status.STATUS_ACTIVE) return found;
  while (at !== undefined && at.seconds <= untilSeconds && found.length < mostPayments) {
    const forecast = forecastSubscription({ ...subscription, price: paid }, { plan, assets, balance: boundless });
    if (forecast?.renews !== true) break;
    const { denom, quoteValue } = forecast.price;
    const cost = BigInt(quoteValue);
    found.push({
      at,
      account: subscription.accAddress,
      denom,
      cost,
      amount: splitPayment(cost, stakingShare).toReceiver,
    });
    paid = forecast.price;
    at = plan.duration.seconds > 0n ? { ...at, seconds: at.seconds + plan.duration.seconds } : undefined;
  }
  return found;
};

/**
 * Income from subscriptions: certain as far as the balance of the account covers one payment after another.
 * @param balanceOf `undefined` if it was not read
 */
export const subscriptionsIncome = (
  payments: readonly DuePayment[],
  balanceOf: (account: string, denom: string) => bigint | undefined,
): readonly ExpectedIncome[] => {
  const left = new Map<string, bigint | undefined>();
  const inOrder = payments.toSorted((a, b) => (a.at.seconds < b.at.seconds ? -1 : a.at.seconds > b.at.seconds ? 1 : 0));
  return inOrder.map(({ at, account, denom, cost, amount }) => {
    const key = `${account} ${denom}`;
    const balance = left.has(key) ? left.get(key) : balanceOf(account, denom);
    const isSure = balance !== undefined && balance >= cost;
    left.set(key, isSure ? balance - cost : balance);
    return { at, denom, amount, isSure, from: 'subscriptions' };
  });
};

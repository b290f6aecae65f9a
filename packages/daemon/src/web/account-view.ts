import { RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { watchedAccounts } from '../checks/account/watched-accounts.js';
import {
  accountSubscriptions,
  type AccountSubscription,
  type SubscriberTarget,
} from '../checks/subscription/account-subscriptions.js';
import { msOf } from '../checks/times.js';
import type { Head } from '../endpoints/head.js';
import { enumText } from '../enum-text.js';
import type { Observations } from '../observations/observations.js';
import { cut, iso } from '../words.js';
import { notAsked } from './overall.js';

/** A watched account as the page and the JSON API show it. Amounts and bytes are texts. */
export const accountView = (
  { key, alias }: SubscriberTarget,
  observations: Pick<Observations, 'outcome'>,
  head: Head | undefined,
) => {
  const balances = observations.outcome(watchedAccounts, key);
  const outcome = observations.outcome(accountSubscriptions, key);
  return {
    address: key,
    alias: alias === '' ? undefined : alias,
    balances:
      balances?.state === 'known'
        ? [...balances.reading.balances].slice(0, 20).map(([denom, amount]) => ({
            denom: cut(denom, 200),
            amount: cut(String(amount), 200),
          }))
        : undefined,
    subscriptions:
      outcome?.state === 'known'
        ? outcome.reading.subscriptions.map((one) => subscriptionView(key, one, head))
        : undefined,
    notRead: outcome?.state === 'known' ? undefined : cut(outcome?.text ?? notAsked, 200),
  };
};

export type AccountView = ReturnType<typeof accountView>;

const subscriptionView = (
  account: string,
  { subscription, isOwn, forecast, allocations }: AccountSubscription,
  head: Head | undefined,
) => {
  const { id, accAddress, planId, price, status, inactiveAt, renewalPricePolicy } = subscription;
  const allocation = allocations.find(({ address }) => address === account);
  return {
    id: String(id),
    plan: String(planId),
    paidBy: isOwn ? undefined : cut(accAddress, 200),
    status: enumText(StatusTable, status),
    price: cut(price.quoteValue, 200),
    denom: cut(price.denom, 200),
    renewalPolicy: enumText(RenewalPricePolicyTable, renewalPricePolicy),
    ends: inactiveAt && iso(msOf(inactiveAt)),
    secondsLeft: inactiveAt && head && Math.round((msOf(inactiveAt) - head.timeMs) / 1_000),
    renewal: forecast && { renews: forecast.renews, sentence: cut(forecast.sentence, 300) },
    allocation: allocation && allocationView(allocation.grantedBytes, allocation.utilisedBytes),
    sharedWith: allocations.length - (allocation === undefined ? 0 : 1),
  };
};

export type SubscriptionView = ReturnType<typeof subscriptionView>;

/** More may be used than is granted: the chain does not cap it. */
const allocationView = (grantedText: string, utilisedText: string) => {
  const [granted, utilised] = [BigInt(grantedText), BigInt(utilisedText)];
  const remaining = granted > utilised ? granted - utilised : 0n;
  const [grantedBytes, utilisedBytes, remainingBytes] = [granted, utilised, remaining].map((one) =>
    cut(String(one), 200),
  );
  return { grantedBytes, utilisedBytes, remainingBytes };
};

import { RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { AccountTarget } from '../checks/account/account-targets.js';
import { feeGrants } from '../checks/account/fee-grants.js';
import { heartbeatFees } from '../checks/account/heartbeat-fees.js';
import { watchedAccounts } from '../checks/account/watched-accounts.js';
import { nodeTargets } from '../checks/node/watched-nodes.js';
import { accountSubscriptions } from '../checks/subscription/account-subscriptions.js';
import type { AccountSubscription } from '../checks/subscription/subscriptions-reading.js';
import { msOf } from '../checks/times.js';
import { networkName } from '../config/network-name.js';
import type { Config } from '../config/schema.js';
import type { BlockHead } from '../endpoints/head.js';
import { shortText } from '../enum-text.js';
import type { Observations } from '../observations/observations.js';
import { cut, iso } from '../words.js';
import { notAsked, readAt } from './not-read.js';

/** Maximum number of grants shown per account. */
const grantsShown = 5;

/**
 * View model of a watched account for the page and the JSON API: balances, heartbeat runway, fee grants and
 * subscriptions. Amounts and byte counts are strings.
 */
export const accountView = (
  { key, alias, title, minimum }: AccountTarget,
  config: Config,
  observations: Pick<Observations, 'outcome'>,
  head: BlockHead | undefined,
) => {
  const balances = observations.outcome(watchedAccounts, key);
  const isSubscriber = config.watch.accounts.some(({ address }) => address === key);
  const outcome = isSubscriber ? observations.outcome(accountSubscriptions, key) : undefined;
  const grants = observations.outcome(feeGrants, key);
  return {
    address: key,
    alias: alias === '' ? undefined : alias,
    title,
    readAt: { balances: readAt(balances), grants: readAt(grants), subscriptions: readAt(outcome) },
    balances:
      balances?.state === 'known'
        ? [...balances.reading.balances].slice(0, 20).map(([denom, amount]) => ({
            denom: cut(denom, 200),
            amount: cut(String(amount), 200),
            minimum: minimum.has(denom) ? String(minimum.get(denom)) : undefined,
            isLow: amount < (minimum.get(denom) ?? 0n),
          }))
        : undefined,
    deposit:
      balances?.state === 'known'
        ? balances.reading.deposit
            .slice(0, 20)
            .map(({ denom, amount }) => ({ denom: cut(denom, 200), amount: cut(amount, 200) }))
        : undefined,
    balancesNotRead: balances?.state === 'known' ? undefined : cut(balances?.text ?? notAsked, 200),
    heartbeats: heartbeatsView(key, config, observations),
    grants:
      grants?.state === 'known'
        ? grants.reading.grants.slice(0, grantsShown).map(({ granter, expiresMs, left, paysHeartbeats }) => ({
            granter: cut(granter, 100),
            expires: expiresMs === undefined ? undefined : iso(expiresMs),
            left: left
              ?.slice(0, grantsShown)
              .map(({ denom, amount }) => ({ denom: cut(denom, 100), amount: cut(amount, 60) })),
            paysHeartbeats,
          }))
        : undefined,
    subscriptions:
      outcome?.state === 'known'
        ? outcome.reading.subscriptions.map((one) => subscriptionView(key, one, head))
        : undefined,
    /** Why subscriptions are missing. Subscriptions of a node's own account are not queried. */
    notRead: !isSubscriber || outcome?.state === 'known' ? undefined : cut(outcome?.text ?? notAsked, 200),
  };
};

/**
 * Watched nodes whose heartbeats the account pays for, and how long its balance lasts. `undefined` if it is not known
 * to pay for any.
 */
const heartbeatsView = (account: string, config: Config, observations: Pick<Observations, 'outcome'>) => {
  const fees = observations.outcome(heartbeatFees, networkName(config));
  const pays = fees?.state === 'known' ? fees.reading.payers.get(account) : undefined;
  const names = new Map(nodeTargets(config).map((node) => [node.key, node.title]));
  return (
    pays && {
      nodes: pays.nodes.map((node) => names.get(node) ?? node),
      runwaySeconds: pays.runwayMs === undefined ? undefined : Math.round(pays.runwayMs / 1_000),
      readAt: iso(pays.readMs),
      perDay: String(Math.round(pays.perDay)),
      denom: cut(pays.denom, 100),
    }
  );
};

export type AccountView = ReturnType<typeof accountView>;

const subscriptionView = (
  account: string,
  { subscription, isOwn, forecast, allocations }: AccountSubscription,
  head: BlockHead | undefined,
) => {
  const { id, accAddress, planId, price, status, inactiveAt, renewalPricePolicy } = subscription;
  const allocation = allocations.find(({ address }) => address === account);
  return {
    id: String(id),
    plan: String(planId),
    paidBy: isOwn ? undefined : cut(accAddress, 200),
    status: shortText(StatusTable, status),
    price: cut(price.quoteValue, 200),
    denom: cut(price.denom, 200),
    renewalPolicy: shortText(RenewalPricePolicyTable, renewalPricePolicy),
    ends: inactiveAt && iso(msOf(inactiveAt)),
    secondsLeft: inactiveAt && head && Math.round((msOf(inactiveAt) - head.timeMs) / 1_000),
    renewal: forecast && { renews: forecast.renews, sentence: cut(forecast.sentence, 300) },
    allocation: allocation && allocationView(allocation.grantedBytes, allocation.utilisedBytes),
    sharedWith: allocations.length - (allocation === undefined ? 0 : 1),
  };
};

export type SubscriptionView = ReturnType<typeof subscriptionView>;

/** Usage may exceed the granted bytes: the chain does not enforce the limit. */
const allocationView = (grantedText: string, utilisedText: string) => {
  const [granted, utilised] = [BigInt(grantedText), BigInt(utilisedText)];
  const remaining = granted > utilised ? granted - utilised : 0n;
  const [grantedBytes, utilisedBytes, remainingBytes] = [granted, utilised, remaining].map((one) =>
    cut(String(one), 200),
  );
  return { grantedBytes, utilisedBytes, remainingBytes };
};

import { HubError } from '@hubwatch/client';
import type { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import type { Allocation } from '@hubwatch/types/gen/forms/hub/subscription/v2/allocation';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryPlan } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryAllocations } from '@hubwatch/types/gen/methods/hub/subscription/v2/query-service';
import { querySubscriptionsForAccount } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import type { Config } from '../../config/schema.js';
import { readPages } from '../../endpoints/pages.js';
import type { Source } from '../../endpoints/sources.js';
import { shortText, shortTexts } from '../../enum-text.js';
import { forecastSubscriptions, type SubscriptionForecast } from '../../forecast/subscription-renewal.js';
import type { Check } from '../check.js';
import { gauge, info, type Sample, sample, stateSamples, stateset } from '../family.js';
import { readBalances } from '../lease/renewal-facts.js';
import { readAssets } from '../plan/watched-plans.js';
import { msOf, secondsOf } from '../times.js';
import { renewalBlocked } from './renewal-blocked.js';
import type { AccountSubscription, SubscriberTarget, SubscriptionsReading } from './subscriptions-reading.js';
import { unlessAbsent } from '../unless-absent.js';

/** Maximum number of subscriptions per account that are read one by one, in the order of their ends. */
const mostSubscriptions = 100;

const each = ['subscription_id'];
const unit = 'in the base unit of the denomination';
const subscriptionInfo = info(
  'hub_subscription_info',
  [...each, 'account', 'plan_id', 'denom', 'renewal_policy'],
  'Subscriptions that watched accounts pay or share, with the account that pays; the value is always 1',
);
const status = stateset('hub_subscription_status', [...each, 'status'], 'Status on the chain');
const end = gauge(
  'hub_subscription_end_timestamp_seconds',
  each,
  'End of the paid period; absent after it has ended',
  'slow',
);
const renewal = gauge(
  'hub_subscription_renewal_timestamp_seconds',
  each,
  'When the chain tries to renew it; absent if its policy forbids renewal',
  'slow',
);
const price = gauge('hub_subscription_price', [...each, 'denom'], `Price of the period, ${unit}`, 'slow');
const expected = gauge(
  'hub_subscription_renewal_expected',
  each,
  '1 if it would be renewed now, 0 if it would be cancelled; absent if unknown',
  'slow',
);
const blocker = gauge(
  'hub_subscription_renewal_blocker',
  [...each, 'reason'],
  '1 for the first obstacle to the renewal: policy_off, plan_inactive, not_sold, policy_refuses, policy_unknown, balance_short',
  'slow',
);
const granted = gauge(
  'hub_subscription_allocation_granted_bytes',
  [...each, 'account'],
  'Bytes that the watched account may use in a period',
  'slow',
);
const utilised = gauge(
  'hub_subscription_allocation_utilised_bytes',
  [...each, 'account'],
  'Bytes that the watched account used in the period; may exceed the granted bytes',
  'slow',
);

/** Watched accounts as targets. */
export const subscriberTargets = (config: Config): readonly SubscriberTarget[] =>
  config.watch.accounts.map(({ address, alias }) => ({ key: address, title: alias ?? address, alias: alias ?? '' }));

/** Subscriptions that every watched account pays or shares: periods, forecasts and allocations. */
export const accountSubscriptions: Check<SubscriberTarget, SubscriptionsReading> = {
  name: 'subscriptions',
  families: [subscriptionInfo, status, end, renewal, price, expected, blocker, granted, utilised],
  everyMs: (config) => config.poll.subscriptions,
  targets: subscriberTargets,
  lanes: 1,
  rules: [renewalBlocked],
  collect: ({ key: address }, { pool, signal, config }) =>
    pool.read(`subscriptions of ${address}`, signal, async (source) => {
      const all: Subscription[] = [];
      const walk = {
        method: querySubscriptionsForAccount,
        request: { address },
        items: (page: { subscriptions: readonly Subscription[] }) => page.subscriptions,
        maxPages: 25,
      };
      const { height } = await readPages(source, walk, (page) => all.push(...page));
      const taken = byEnd(all).slice(0, mostSubscriptions);
      const forecasts = await forecastsOf(source, address, taken, height);
      const watched = config.watch.accounts.map((account) => account.address);
      const subscriptions: AccountSubscription[] = [];
      for (const subscription of taken) {
        const allocations = await readAllocations(source, subscription.id, height);
        const isOwn = subscription.accAddress === address;
        const isTold = tellsOf(subscription, allocations, watched) === address;
        subscriptions.push({ subscription, isOwn, isTold, forecast: forecasts.get(subscription.id), allocations });
      }
      return { subscriptions, height };
    }),
  metrics: ({ key }, { subscriptions }) => subscriptions.flatMap((one) => samplesOf(key, one)),
};

const byEnd = (all: readonly Subscription[]): readonly Subscription[] =>
  all.toSorted((a, b) => endMs(a) - endMs(b) || (a.id < b.id ? -1 : 1));

const endMs = ({ inactiveAt }: Subscription): number => (inactiveAt === undefined ? 0 : msOf(inactiveAt));

/** The account whose target exports a subscription: the one that pays it, otherwise the first that shares it. */
const tellsOf = (
  { accAddress }: Subscription,
  allocations: readonly Allocation[],
  watched: readonly string[],
): string | undefined => {
  if (watched.includes(accAddress)) return accAddress;
  const sharing = new Set(allocations.map(({ address }) => address));
  return watched.find((address) => sharing.has(address));
};

/** Forecasts of the active subscriptions that the account pays, by id. */
const forecastsOf = async (
  source: Source,
  address: string,
  all: readonly Subscription[],
  height: bigint | undefined,
): Promise<ReadonlyMap<bigint, SubscriptionForecast | undefined>> => {
  const own = all.filter((one) => one.accAddress === address && one.status === Status.STATUS_ACTIVE);
  if (own.length === 0) return new Map();
  const plans = new Map<bigint, Plan | undefined>();
  for (const id of new Set(own.filter(isToRenew).map(({ planId }) => planId)))
    plans.set(id, await readPlan(source, id, height));
  const [assets, balances] = [await readAssets(source, height), await readBalances(source, address, height)];
  const told = forecastSubscriptions(
    own,
    ({ planId }) => ({ plan: plans.get(planId), assets }),
    (denom) => balances.get(denom) ?? 0n,
  );
  return new Map(own.map(({ id }, index) => [id, told[index]]));
};

/** Whether its policy allows renewal. */
const isToRenew = ({ renewalPricePolicy }: Subscription): boolean =>
  renewalPricePolicy !== RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED;

/** Plans are not served over REST; the forecast then stays open. */
const readPlan = async (source: Source, id: bigint, height: bigint | undefined): Promise<Plan | undefined> => {
  try {
    return (await unlessAbsent(source.call(queryPlan, { id }, height)))?.message.plan;
  } catch (error) {
    if (error instanceof HubError && error.code === 'not_served') return undefined;
    throw error;
  }
};

const readAllocations = async (
  source: Source,
  id: bigint,
  height: bigint | undefined,
): Promise<readonly Allocation[]> => {
  const allocations: Allocation[] = [];
  const items = (page: { allocations: readonly Allocation[] }): readonly Allocation[] => page.allocations;
  await readPages(source, { method: queryAllocations, request: { id }, items, height, maxPages: 5 }, (page) =>
    allocations.push(...page),
  );
  return allocations;
};

const samplesOf = (account: string, one: AccountSubscription): readonly Sample[] => {
  const { subscription, isTold, forecast, allocations } = one;
  const id = String(subscription.id);
  const samples = allocations
    .filter(({ address }) => address === account)
    .flatMap(({ grantedBytes, utilisedBytes }) => [
      sample(granted, [id, account], Number(grantedBytes)),
      sample(utilised, [id, account], Number(utilisedBytes)),
    ]);
  if (!isTold) return samples;
  const { accAddress, planId, renewalPricePolicy, inactiveAt, price: paid } = subscription;
  const policy = shortText(RenewalPricePolicyTable, renewalPricePolicy);
  samples.push(
    sample(subscriptionInfo, [id, accAddress, String(planId), paid.denom, policy], 1),
    ...stateSamples(status, [id], shortTexts(StatusTable), shortText(StatusTable, subscription.status)),
    sample(price, [id, paid.denom], Number(paid.quoteValue)),
  );
  if (subscription.status !== Status.STATUS_ACTIVE || inactiveAt === undefined) return samples;
  samples.push(sample(end, [id], secondsOf(inactiveAt)));
  if (isToRenew(subscription)) samples.push(sample(renewal, [id], secondsOf(inactiveAt)));
  if (forecast !== undefined) samples.push(sample(expected, [id], forecast.renews ? 1 : 0));
  if (forecast?.renews === false) samples.push(sample(blocker, [id, forecast.reason], 1));
  return samples;
};

import { HubError } from '@hubwatch/client';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryNodesForPlan } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryAssets } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryPlansForProvider } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryParams, querySubscriptionsForPlan } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { Source } from '../../endpoints/sources.js';
import { shortText, shortTexts } from '../../enum-text.js';
import type { Check, CollectContext } from '../check.js';
import { type Datum, datumOfFailure, known, valueOf } from '../datum.js';
import { gauge, info, type Sample, sample, stateSamples, stateset } from '../family.js';
import { type ProviderTarget, providerTargets } from '../provider/watched-providers.js';
import { horizons, type PlanFacts, type PlanSubscriptions, sumSubscriptions } from './plan-subscriptions.js';

/** Maximum number of plans per provider, in the order of their ids. */
const mostPlans = 100;
/** Page size; at most 100,000 subscriptions of one plan are counted. */
const subscriptionsOfPage = 500;
const mostSubscriptionPages = 200;
/** How long a removed link is reported. */
const newsMs = 86_400_000;
const linkKind = 'plan link';

export interface PlanReading {
  readonly plan: Plan;
  /** Addresses of linked nodes. */
  readonly nodes: readonly string[];
  /** Links that were removed in the last day, newest first. */
  readonly lost: readonly LostLink[];
  readonly subscriptions: Datum<PlanSubscriptions>;
}

/** A node that was linked to a plan and no longer is. */
export interface LostLink {
  readonly node: string;
  /** Height and time at which it was first found missing. */
  readonly height: bigint | undefined;
  readonly atMs: number;
  /** Height at which the link was first seen; `undefined` if it already existed in the first poll. */
  readonly linkedHeight: bigint | undefined;
}

export interface PlansReading {
  readonly plans: readonly PlanReading[];
  readonly height: bigint | undefined;
}

const unit = 'in the base unit of the denomination';
const planInfo = info(
  'hub_plan_info',
  ['plan_id', 'provider', 'private'],
  'Plans of watched providers; the value is always 1',
);
const status = stateset('hub_plan_status', ['plan_id', 'status'], 'Status on the chain');
const price = gauge('hub_plan_price', ['plan_id', 'denom'], `Declared price of a period, ${unit}`, 'slow');
const nodeCount = gauge('hub_plan_nodes', ['plan_id'], 'Nodes that are linked to the plan', 'slow');
const subscriptionCount = gauge(
  'hub_plan_subscriptions',
  ['plan_id', 'status'],
  'Subscriptions of the plan; absent if there are too many to count',
  'slow',
);
const renewals = gauge(
  'hub_plan_renewals',
  ['plan_id', 'within'],
  'Active subscriptions that will be renewed within 24h and 7d',
  'slow',
);
const income = gauge(
  'hub_provider_subscription_income_amount',
  ['provider', 'denom', 'within'],
  `Income of the provider from renewals of subscriptions within 24h and 7d, each subscription once, if every account can pay, ${unit}`,
  'slow',
);

/** Plans of every watched provider: status, prices, linked nodes, and sums over their subscriptions. */
export const watchedPlans: Check<ProviderTarget, PlansReading> = {
  name: 'plans',
  families: [planInfo, status, price, nodeCount, subscriptionCount, renewals, income],
  everyMs: (config) => config.poll.subscriptions,
  targets: providerTargets,
  lanes: 1,
  collect: ({ key: address }, context) =>
    context.pool.read(`plans of ${address}`, context.signal, async (source) => {
      const plans: Plan[] = [];
      const walk = {
        method: queryPlansForProvider,
        request: { address },
        items: (page: { plans: readonly Plan[] }) => page.plans,
      };
      const { height } = await readPages(source, walk, (page) => plans.push(...page));
      const { message } = await source.call(queryParams, {}, height);
      const assets = await readAssets(source, height);
      const { stakingShare } = message.params;
      const readings: PlanReading[] = [];
      for (const plan of plans.slice(0, mostPlans)) {
        const facts = { plan, assets, stakingShare, nowMs: context.moment.head?.timeMs };
        const nodes = await readNodes(source, plan.id, height);
        const subscriptions = await readSubscriptions(source, plan.id, facts, height);
        readings.push({ plan, nodes, subscriptions, lost: lostLinks(context, plan.id, nodes, height) });
      }
      return { plans: readings, height };
    }),
  metrics: ({ key }, { plans }) => [...plans.flatMap((one) => planSamples(key, one)), ...incomeSamples(key, plans)],
};

/** Reads the prices of every asset that the oracle knows. */
export const readAssets = async (source: Source, height: bigint | undefined): Promise<readonly Asset[]> => {
  const assets: Asset[] = [];
  const walk = { method: queryAssets, request: {}, items: (page: { assets: readonly Asset[] }) => page.assets, height };
  await readPages(source, walk, (page) => assets.push(...page));
  return assets;
};

const readNodes = async (source: Source, id: bigint, height: bigint | undefined): Promise<readonly string[]> => {
  const nodes: string[] = [];
  const walk = {
    method: queryNodesForPlan,
    request: { id },
    items: (page: { nodes: readonly { readonly address: string }[] }) => page.nodes,
    height,
  };
  await readPages(source, walk, (page) => nodes.push(...page.map(({ address }) => address)));
  return nodes;
};

/** Counts subscriptions page by page. A count above the limit is a state of the datum; every other failure fails the poll. */
const readSubscriptions = async (
  source: Source,
  id: bigint,
  facts: PlanFacts,
  height: bigint | undefined,
): Promise<Datum<PlanSubscriptions>> => {
  const { take, sums } = sumSubscriptions(facts);
  const items = (page: { subscriptions: readonly Parameters<typeof take>[0][number][] }) => page.subscriptions;
  const bounds = { limit: subscriptionsOfPage, maxPages: mostSubscriptionPages, height };
  try {
    await readPages(source, { method: querySubscriptionsForPlan, request: { id }, items, ...bounds }, take);
    return known(sums());
  } catch (error) {
    if (error instanceof HubError && error.code === 'limit') return datumOfFailure(error);
    throw error;
  }
};

/** Stores the current links and returns those that were removed recently, including removals while the daemon was down. */
const lostLinks = (
  { changes, moment, clock }: Pick<CollectContext, 'changes' | 'moment' | 'clock'>,
  id: bigint,
  nodes: readonly string[],
  height: bigint | undefined,
): readonly LostLink[] => {
  const subject = String(id);
  const nowMs = moment.head?.timeMs ?? clock.nowMs();
  const fields = Object.fromEntries(nodes.map((node) => [node, 'linked']));
  changes.note({ kind: linkKind, subject, fields, height, atMs: nowMs, isWhole: true });
  const linked = new Set(nodes);
  const known = changes.changes(linkKind, subject);
  return known.flatMap(({ field: node, after, height: missed, atMs }, at): LostLink[] => {
    if (after !== '' || linked.has(node) || nowMs - atMs >= newsMs) return [];
    const linkedHeight = known.slice(at).find((one) => one.field === node && one.after !== '')?.height;
    return [{ node, height: missed, atMs, linkedHeight }];
  });
};

const planSamples = (provider: string, { plan, nodes, subscriptions }: PlanReading): readonly Sample[] => {
  const id = String(plan.id);
  const counted = valueOf(subscriptions);
  return [
    sample(planInfo, [id, provider, String(plan.private)], 1),
    ...stateSamples(status, [id], shortTexts(StatusTable), shortText(StatusTable, plan.status)),
    ...plan.prices.map(({ denom, quoteValue }) => sample(price, [id, denom], Number(quoteValue))),
    sample(nodeCount, [id], nodes.length),
    ...[...(counted?.byStatus ?? [])].map(([word, count]) => sample(subscriptionCount, [id, word], count)),
    ...[...(counted?.ahead ?? [])].map(([within, { count }]) => sample(renewals, [id, within], count)),
  ];
};

/** Income from renewals within a horizon, by denomination; `undefined` if a plan could not be counted. */
export const incomeAhead = (
  plans: readonly Pick<PlanReading, 'subscriptions'>[],
  within: (typeof horizons)[number][0],
): ReadonlyMap<string, bigint> | undefined => {
  const sums = new Map<string, bigint>();
  for (const { subscriptions } of plans) {
    const counted = valueOf(subscriptions);
    if (counted === undefined) return undefined;
    for (const [denom, amount] of counted.ahead.get(within)?.income ?? [])
      sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  }
  return sums;
};

const incomeSamples = (provider: string, plans: readonly PlanReading[]): readonly Sample[] =>
  horizons.flatMap(([within]) =>
    [...(incomeAhead(plans, within) ?? [])].map(([denom, amount]) =>
      sample(income, [provider, denom, within], Number(amount)),
    ),
  );

import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { incomeAhead, type LostLink, type PlanReading, type PlansReading } from '../checks/plan/watched-plans.js';
import { valueOf } from '../checks/datum.js';
import { shortText } from '../enum-text.js';
import type { LedgerRow } from '../ledger/ledger-row.js';
import { cut, iso } from '../words.js';

/** Maximum number of removed links shown per plan, newest first. */
const lostShown = 50;

/**
 * View model of a provider's plans for the page and the JSON API. Amounts are strings in the base unit of the
 * denomination.
 */
export const plansView = ({ plans }: PlansReading, provider: string, ends: readonly LedgerRow[]) => ({
  plans: plans.map((one) => planView(one, provider, ends)),
  income: { in24h: coins(incomeAhead(plans, '24h')), in7d: coins(incomeAhead(plans, '7d')) },
});

export type PlanView = ReturnType<typeof planView>;

const planView = ({ plan, nodes, lost, subscriptions }: PlanReading, provider: string, ends: readonly LedgerRow[]) => {
  const counted = valueOf(subscriptions);
  return {
    id: String(plan.id),
    private: plan.private,
    status: shortText(StatusTable, plan.status),
    prices: plan.prices
      .slice(0, 20)
      .map(({ denom, quoteValue }) => ({ denom: cut(denom, 200), price: cut(quoteValue, 200) })),
    nodes: nodes.length,
    lost: lost.slice(0, lostShown).map((link) => lostView(link, provider, ends)),
    subscriptions: counted && Object.fromEntries(counted.byStatus),
    notCounted: subscriptions.state === 'known' ? undefined : cut(subscriptions.text, 200),
    renewalsIn24h: counted?.ahead.get('24h')?.count,
    renewalsIn7d: counted?.ahead.get('7d')?.count,
  };
};

/**
 * A removed link and the lease whose end removed it: the last lease between the two that ended while they were linked.
 */
const lostView = ({ node, height, atMs, linkedHeight }: LostLink, provider: string, ends: readonly LedgerRow[]) => {
  const end = ends.findLast(
    (row) =>
      row.node === node &&
      row.provider === provider &&
      (height === undefined || row.height <= height) &&
      (linkedHeight === undefined || row.height > linkedHeight),
  );
  return {
    node: cut(node, 200),
    missedSince: iso(atMs),
    lease: end && { id: end.record, reason: end.detail ?? '', height: String(end.height) },
  };
};

const coins = (amounts: ReadonlyMap<string, bigint> | undefined) =>
  amounts &&
  [...amounts].slice(0, 20).map(([denom, amount]) => ({ denom: cut(denom, 200), amount: cut(String(amount), 200) }));

import { HubError } from '@hubwatch/client';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { queryPlansForProvider } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryParams, querySubscriptionsForPlan } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { balance as queryBalance } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { readPages } from '../../endpoints/pages.js';
import type { Source } from '../../endpoints/sources.js';
import { type DuePayment, duePayments, subscriptionsIncome } from '../../forecast/expected-income.js';
import { boundless } from '../../forecast/purse.js';
import type { ExpectedIncome } from '../../forecast/renewal-timeline.js';

/** Maximum number of plans per provider, of pages with 500 subscriptions per plan, and of accounts whose balance is read. */
const mostPlans = 20;
const mostPages = 4;
const mostAccounts = 20;

export interface IncomeAsked {
  readonly provider: string;
  /** Denominations that affect the result. */
  readonly denoms: readonly string[];
  readonly untilMs: number;
}

/**
 * Income from renewals of subscriptions to a provider's plans until a given time. Read only if it affects the result, because
 * the number of requests grows with the number of subscribers. The income is open if there is more than can be read, or if the
 * endpoint does not serve it.
 */
export const readSubscriptionIncome = async (
  source: Source,
  asked: IncomeAsked,
  assets: readonly Asset[],
  height: bigint | undefined,
): Promise<readonly ExpectedIncome[]> => {
  try {
    const { payments, isWhole } = await readPayments(source, asked, assets, height);
    const balances = await readPayers(source, payments, height);
    const income = subscriptionsIncome(payments, (account, denom) => balances.get(`${account} ${denom}`));
    return isWhole ? income : [...income, ...asked.denoms.map(anything)];
  } catch (error) {
    const isServed = !(error instanceof HubError) || (error.code !== 'not_served' && error.code !== 'unimplemented');
    if (isServed) throw error;
    return asked.denoms.map(anything);
  }
};

const readPayments = async (
  source: Source,
  { provider, denoms, untilMs }: IncomeAsked,
  assets: readonly Asset[],
  height: bigint | undefined,
): Promise<{ readonly payments: readonly DuePayment[]; readonly isWhole: boolean }> => {
  const untilSeconds = BigInt(Math.ceil(untilMs / 1_000));
  const { message } = await source.call(queryParams, {}, height);
  const plans: Plan[] = [];
  await readPages(
    source,
    { method: queryPlansForProvider, request: { address: provider }, items: (page) => page.plans, height },
    (page) => plans.push(...page),
  );
  const payments: DuePayment[] = [];
  const terms = { assets, stakingShare: message.params.stakingShare };
  const take = (plan: Plan, page: readonly Subscription[]): void => {
    for (const one of page) payments.push(...duePayments(one, { ...terms, plan }, untilSeconds));
  };
  let isWhole = plans.length <= mostPlans;
  for (const plan of plans.slice(0, mostPlans)) {
    const walk = {
      method: querySubscriptionsForPlan,
      request: { id: plan.id },
      items: (page: { readonly subscriptions: readonly Subscription[] }) => page.subscriptions,
      height,
      limit: 500,
      maxPages: mostPages,
    };
    try {
      await readPages(source, walk, (page) => take(plan, page));
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== 'limit') throw error;
      isWhole = false;
    }
  }
  return { payments: payments.filter(({ denom }) => denoms.includes(denom)), isWhole };
};

const anything = (denom: string): ExpectedIncome => ({
  at: { seconds: 0n, nanos: 0 },
  denom,
  amount: boundless,
  isSure: false,
  from: 'subscriptions',
});

/** Reads the balances of the accounts whose payments are due first. */
const readPayers = async (
  source: Source,
  payments: readonly DuePayment[],
  height: bigint | undefined,
): Promise<ReadonlyMap<string, bigint>> => {
  const balances = new Map<string, bigint>();
  const first = payments.toSorted((a, b) => (a.at.seconds < b.at.seconds ? -1 : 1));
  for (const { account, denom } of first) {
    const key = `${account} ${denom}`;
    if (balances.has(key) || balances.size >= mostAccounts) continue;
    const { message } = await source.call(queryBalance, { address: account, denom }, height);
    balances.set(key, BigInt(message.balance?.amount ?? '0'));
  }
  return balances;
};

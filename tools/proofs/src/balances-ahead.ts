import { duePayments, hoursIncome, leaseTerms, lookAtTogether, subscriptionsIncome } from '@hubwatch/daemon/forecast';
import { accountOf, type HubState } from '@hubwatch/devnode/chain';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { Provider } from '@hubwatch/types/gen/forms/hub/provider/v2/provider';
import { Params as SubscriptionParams } from '@hubwatch/types/gen/forms/hub/subscription/v3/params';
import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { fromJson } from '@hubwatch/types/runtime/json';
import { disturbancesOf } from './disturbances.js';
import { formsOf, isReached, type Step, steps } from './recorded-chain.js';
import { balanceOf } from './term-forecasts.js';

/** A predicted and an actual balance. */
export interface BalanceAhead {
  /** Describes the provider, the height and the prediction. */
  readonly what: string;
  readonly problem: string | undefined;
  /** Whether automatic changes by the chain had modified the balance since the prediction. */
  readonly isMoved: boolean;
}

/**
 * Checks the predicted balance of every provider. A prediction starts after each block with a transaction that affects
 * the provider's leases, plans, subscriptions or nodes. It covers the ends of terms until the next such block. The
 * chain's balance at that time, without the amounts moved by transactions, must be within the prediction.
 */
export function* balancesAhead(folder: string): Generator<BalanceAhead> {
  const disturbances = disturbancesOf(folder);
  const seen = new Map<string, { readonly at: number; readonly state: HubState; readonly ahead: Ahead }>();
  for (const step of steps(folder)) {
    const { height, time } = step.block;
    for (const { address } of formsOf(Provider, step.before.providers)) {
      const known = seen.get(address);
      const isOld = known === undefined || disturbances.touch(address, known.state, known.at, height);
      const last = isOld ? { at: height - 1, state: step.before, ahead: lookAhead(step, address) } : known;
      seen.set(address, last);
      const due = formsOf(Lease, step.before.leases).filter(
        (lease) => lease.provAddress === address && isReached(leaseTerms(lease)?.endsAt, time),
      );
      // Other leases in the same block are renewed before it, which the prediction includes.
      const [first] = due.toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
      const purse = first && last.ahead.get(`${first.id} ${first.startAt?.seconds}`);
      if (first === undefined || purse === undefined) continue;
      const { denom } = first.price;
      const actual = balanceOf(step.before, address, denom) - disturbances.moved(address, denom, last.at, height);
      const isWithin = purse.least <= actual && actual <= purse.most;
      const what = `lease ${first.id} at ${height}, seen at ${last.at}`;
      yield {
        what,
        problem: isWithin ? undefined : `${what}: foreseen ${purse.least} to ${purse.most}, the chain ${actual}`,
        isMoved: actual !== balanceOf(last.state, address, denom),
      };
    }
  }
}

type Ahead = ReadonlyMap<string, { readonly least: bigint; readonly most: bigint }>;

const endOf = (lease: Lease): bigint => leaseTerms(lease)?.endsAt.seconds ?? 0n;
const horizonSeconds = 86_400n;

/** Predicted balance of the provider at the end of each lease's term, by lease and start of its term. */
function lookAhead({ before }: Step, provider: string): Ahead {
  const leases = formsOf(Lease, before.leases)
    .filter(({ provAddress }) => provAddress === provider)
    .toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : endOf(a) > endOf(b) ? 1 : a.id < b.id ? -1 : 1));
  const nodes = formsOf(Node, before.nodes);
  const assets = formsOf(Asset, before.assets);
  const params = fromJson(Params, before.params['lease/v1']);
  const status = formsOf(Provider, before.providers).find(({ address }) => address === provider)?.status;
  const until = (leases.at(-1)?.startAt?.seconds ?? 0n) + horizonSeconds;
  const plans = formsOf(Plan, before.plans).filter(({ provAddress }) => provAddress === provider);
  const { stakingShare } = fromJson(SubscriptionParams, before.params['subscription/v3']);
  const payments = formsOf(Subscription, before.subscriptions).flatMap((subscription) => {
    const plan = plans.find(({ id }) => id === subscription.planId);
    return plan === undefined ? [] : duePayments(subscription, { plan, assets, stakingShare }, until);
  });
  const own = formsOf(Lease, before.leases).filter(({ nodeAddress }) => accountOf(nodeAddress) === accountOf(provider));
  const income = [
    ...subscriptionsIncome(payments, (account, denom) => balanceOf(before, account, denom)),
    ...own.flatMap((lease) => hoursIncome(lease, params.stakingShare, until)),
  ];
  const outlooks = lookAtTogether(
    leases,
    ({ nodeAddress }) => ({
      node: nodes.find(({ address }) => address === nodeAddress),
      providerStatus: status,
      params,
      assets,
    }),
    (_provider, denom) => balanceOf(before, provider, denom),
    () => income,
  );
  return new Map(
    leases.flatMap(({ id, startAt }, at) => {
      const purse = outlooks[at]?.purse;
      return purse === undefined ? [] : [[`${id} ${startAt?.seconds}`, purse]];
    }),
  );
}

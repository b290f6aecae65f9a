import { forecastSubscription, forecastTogether, leaseTerms } from '@hubwatch/daemon/forecast';
import { accountOf } from '@hubwatch/devnode/chain';
import { EventEnd, EventRenew } from '@hubwatch/types/gen/forms/hub/lease/v1/events';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { Provider } from '@hubwatch/types/gen/forms/hub/provider/v2/provider';
import { EventRenew as SubscriptionRenew } from '@hubwatch/types/gen/forms/hub/subscription/v3/events';
import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { fromJson } from '@hubwatch/types/runtime/json';
import { eventsOf, formsOf, isReached, type Step } from './recorded-chain.js';

/** A forecast from the state before a block, and the actual outcome in the block. */
export interface Outcome {
  readonly subject: string;
  readonly forecast: string;
  readonly chain: string;
}

/** Leases whose term ends in a block. */
export function leaseOutcomes({ block, before }: Step): readonly Outcome[] {
  const due = formsOf(Lease, before.leases).filter((lease) => isReached(leaseTerms(lease)?.endsAt, block.time));
  if (due.length === 0) return [];
  const nodes = formsOf(Node, before.nodes);
  const providers = formsOf(Provider, before.providers);
  const params = fromJson(Params, before.params['lease/v1']);
  const assets = formsOf(Asset, before.assets);
  const renewals = eventsOf(block.begin_block, EventRenew);
  const ended = new Set(eventsOf(block.begin_block, EventEnd).map(({ leaseId }) => leaseId));
  const forecasts = forecastTogether(
    due,
    (lease) => ({
      node: nodes.find(({ address }) => address === lease.nodeAddress),
      providerStatus: providers.find(({ address }) => address === lease.provAddress)?.status,
      params,
      assets,
    }),
    (provider, denom) => balanceOf(before, provider, denom),
  );
  return due.map(({ id }, index) => {
    const forecast = forecasts[index];
    const renewal = renewals.find(({ leaseId }) => leaseId === id);
    const [denom, base, quote] = renewal?.price.split(/[:,]/) ?? [];
    return {
      subject: `lease ${id}`,
      forecast: forecast?.renews
        ? `renewed at ${forecast.price.denom}:${forecast.price.baseValue},${forecast.price.quoteValue}`
        : forecast === undefined
          ? 'open'
          : 'ended',
      chain: renewal === undefined ? (ended.has(id) ? 'ended' : 'nothing') : `renewed at ${denom}:${base},${quote}`,
    };
  });
}

/** Active subscriptions whose period ends in a block. */
export function subscriptionOutcomes({ block, before }: Step): readonly Outcome[] {
  const due = formsOf(Subscription, before.subscriptions).filter(
    ({ status, inactiveAt }) => status === Status.STATUS_ACTIVE && isReached(inactiveAt, block.time),
  );
  if (due.length === 0) return [];
  const plans = formsOf(Plan, before.plans);
  const assets = formsOf(Asset, before.assets);
  const renewed = new Set(eventsOf(block.begin_block, SubscriptionRenew).map(({ subscriptionId }) => subscriptionId));
  return due.map((subscription) => {
    const { id, accAddress, planId, price } = subscription;
    const plan = plans.find((one) => one.id === planId);
    const forecast = forecastSubscription(subscription, {
      plan,
      assets,
      balance: balanceOf(before, accAddress, price.denom),
    });
    return {
      subject: `subscription ${id}`,
      forecast: forecast === undefined ? 'open' : forecast.renews ? 'renewed' : 'cancelled',
      chain: renewed.has(id) ? 'renewed' : 'cancelled',
    };
  });
}

/** Recordings contain balances in the chain's own denomination, and others where they changed. */
export function balanceOf(
  { balances, balances_other: others }: Step['before'],
  address: string,
  denom: string,
): bigint {
  const account = accountOf(address);
  return BigInt((denom === 'udvpn' ? balances[account] : others[account]?.[denom]) ?? '0');
}

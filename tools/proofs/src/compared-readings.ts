import type { PlansReading, ProviderReading, SubscriptionsReading } from '@hubwatch/daemon/parts';
import { accountOf, type HubState } from '@hubwatch/devnode/chain';
import { Deposit } from '@hubwatch/types/gen/forms/hub/deposit/v1/deposit';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { Allocation } from '@hubwatch/types/gen/forms/hub/subscription/v2/allocation';
import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { formsOf } from './recorded-chain.js';

/** A value as read by a check, and as in the recorded state. */
export interface Compared {
  readonly what: string;
  readonly read: string;
  readonly recorded: string;
}

/** Deposit and leases of a provider. */
export function comparedProvider(address: string, reading: ProviderReading, state: HubState): readonly Compared[] {
  const account = accountOf(address);
  const deposit = formsOf(Deposit, state.deposits).find((one) => one.address === account);
  const leases = formsOf(Lease, state.leases).filter(({ provAddress }) => provAddress === address);
  return [
    {
      what: `deposit of ${address}`,
      read: coinsText(reading.deposit),
      recorded: coinsText(deposit?.coins ?? []),
    },
    { what: `leases of ${address}`, read: leasesText(reading.leases), recorded: leasesText(leases) },
  ];
}

/** Linked nodes of each plan, and its subscriptions by status. */
export function comparedPlans(address: string, { plans }: PlansReading, state: HubState): readonly Compared[] {
  const subscriptions = formsOf(Subscription, state.subscriptions);
  return formsOf(Plan, state.plans)
    .filter(({ provAddress }) => provAddress === address)
    .flatMap(({ id }) => {
      const found = plans.find(({ plan }) => plan.id === id);
      const counted = found?.subscriptions.state === 'known' ? found.subscriptions.value.byStatus : undefined;
      const statuses = subscriptions.filter(({ planId }) => planId === id).map(({ status }) => status);
      return [
        {
          what: `nodes of plan ${id}`,
          read: found === undefined ? 'no plan' : sorted(found.nodes),
          recorded: sorted(state.plan_nodes[String(id)] ?? []),
        },
        {
          what: `subscriptions of plan ${id}`,
          read: `${counted?.get('active')} active, ${counted?.get('inactive_pending')} ending`,
          recorded: `${statuses.filter((one) => one === 1).length} active, ${statuses.filter((one) => one === 2).length} ending`,
        },
      ];
    });
}

/** Allocations of each subscription. */
export function comparedAllocations({ subscriptions }: SubscriptionsReading, state: HubState): readonly Compared[] {
  return subscriptions.map(({ subscription: { id }, allocations }) => ({
    what: `allocations of subscription ${id}`,
    read: allocationsText(allocations),
    recorded: allocationsText(formsOf(Allocation, state.allocations[String(id)] ?? [])),
  }));
}

function coinsText(coins: readonly { readonly denom: string; readonly amount: string }[]): string {
  return sorted(coins.map(({ denom, amount }) => `${amount}${denom}`));
}

function leasesText(leases: readonly Lease[]): string {
  return sorted(
    leases.map(({ id, hours, maxHours, price }) => `${id}: ${hours} of ${maxHours} at ${price.quoteValue}`),
  );
}

function allocationsText(allocations: readonly Allocation[]): string {
  return sorted(
    allocations.map(({ address, grantedBytes, utilisedBytes }) => `${address} ${utilisedBytes} of ${grantedBytes}`),
  );
}

function sorted(texts: readonly string[]): string {
  return texts.toSorted().join(', ');
}

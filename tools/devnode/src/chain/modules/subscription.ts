import { Allocation } from '@hubwatch/types/gen/forms/hub/subscription/v2/allocation';
import { Params } from '@hubwatch/types/gen/forms/hub/subscription/v3/params';
import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { queryAllocation, queryAllocations } from '@hubwatch/types/gen/methods/hub/subscription/v2/query-service';
import {
  queryParams,
  querySubscription,
  querySubscriptions,
  querySubscriptionsForAccount,
  querySubscriptionsForPlan,
} from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { accountPrefix, addressBytes, readAddress } from '../address.js';
import { entriesOf, type Entry, idKey, lengthKey, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

function subscriptionsOf({ state, forms }: QueryContext): Subscription[] {
  return state.subscriptions.map((record) => forms.of(Subscription, record));
}

function allocationsOf({ state, forms }: QueryContext, id: bigint): Allocation[] {
  return (state.allocations[String(id)] ?? []).map((record) => forms.of(Allocation, record));
}

function byId(subscriptions: readonly Subscription[]): Entry<Subscription>[] {
  return entriesOf(
    subscriptions,
    ({ id }) => idKey(id),
    (subscription) => subscription,
  );
}

export const subscriptionHandlers: readonly QueryHandler[] = [
  on(querySubscriptions, (request, context) => {
    const { items, pagination } = paginate(byId(subscriptionsOf(context)), request.pagination);
    return { subscriptions: items, pagination };
  }),
  on(querySubscriptionsForAccount, (request, context) => {
    const { text } = readAddress(request.address, accountPrefix);
    // Finds every account with an allocation: the owner and the accounts it was shared with.
    const own = subscriptionsOf(context).filter(
      ({ id, accAddress }) => accAddress === text || allocationsOf(context, id).some(({ address }) => address === text),
    );
    const { items, pagination } = paginate(byId(own), request.pagination);
    return { subscriptions: items, pagination };
  }),
  on(querySubscriptionsForPlan, (request, context) => {
    const own = subscriptionsOf(context).filter(({ planId }) => planId === request.id);
    const { items, pagination } = paginate(byId(own), request.pagination);
    return { subscriptions: items, pagination };
  }),
  on(querySubscription, (request, context) => {
    const subscription = subscriptionsOf(context).find(({ id }) => id === request.id);
    if (subscription === undefined) throw notFound(`subscription ${request.id} does not exist`);
    return { subscription };
  }),
  on(queryParams, (_request, { state, forms }) => ({
    params: forms.of(Params, state.params['subscription/v3'] ?? {}),
  })),
  on(queryAllocations, (request, context) => {
    const entries = entriesOf(
      allocationsOf(context, request.id),
      ({ address }) => lengthKey(addressBytes(address)),
      (allocation) => allocation,
    );
    const { items, pagination } = paginate(entries, request.pagination);
    return { allocations: items, pagination };
  }),
  on(queryAllocation, (request, context) => {
    const { text } = readAddress(request.address, accountPrefix);
    const allocation = allocationsOf(context, request.id).find(({ address }) => address === text);
    if (allocation === undefined) throw notFound(`allocation ${request.id}/${request.address} does not exist`);
    return { allocation };
  }),
];

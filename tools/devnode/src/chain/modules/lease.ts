import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import {
  queryLease,
  queryLeases,
  queryLeasesForNode,
  queryLeasesForProvider,
  queryParams,
} from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { addressBytes, nodePrefix, providerPrefix, readAddress } from '../address.js';
import { entriesOf, idKey, lengthKey, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

function leasesOf({ state, forms }: QueryContext): Lease[] {
  return state.leases.map((record) => forms.of(Lease, record));
}

const same = (lease: Lease): Lease => lease;

export const leaseHandlers: readonly QueryHandler[] = [
  on(queryLeases, (request, context) => {
    const entries = entriesOf(leasesOf(context), ({ id }) => idKey(id), same);
    const { items, pagination } = paginate(entries, request.pagination);
    return { leases: items, pagination };
  }),
  on(queryLeasesForNode, (request, context) => {
    const { text } = readAddress(request.address, nodePrefix);
    const leases = leasesOf(context).filter(({ nodeAddress }) => nodeAddress === text);
    const key = ({ provAddress, id }: Lease): Buffer =>
      Buffer.concat([lengthKey(addressBytes(provAddress)), idKey(id)]);
    const { items, pagination } = paginate(entriesOf(leases, key, same), request.pagination);
    return { leases: items, pagination };
  }),
  on(queryLeasesForProvider, (request, context) => {
    const { text } = readAddress(request.address, providerPrefix);
    const leases = leasesOf(context).filter(({ provAddress }) => provAddress === text);
    const { items, pagination } = paginate(
      entriesOf(leases, ({ id }) => idKey(id), same),
      request.pagination,
    );
    return { leases: items, pagination };
  }),
  on(queryLease, (request, context) => {
    const lease = leasesOf(context).find(({ id }) => id === request.id);
    if (lease === undefined) throw notFound(`lease ${request.id} does not exist`);
    return { lease };
  }),
  on(queryParams, (_request, { state, forms }) => ({ params: forms.of(Params, state.params['lease/v1'] ?? {}) })),
];

import { Provider } from '@hubwatch/types/gen/forms/hub/provider/v2/provider';
import { Params } from '@hubwatch/types/gen/forms/hub/provider/v3/params';
import { queryProvider, queryProviders } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { queryParams } from '@hubwatch/types/gen/methods/hub/provider/v3/query-service';
import { fromJson } from '@hubwatch/types/runtime/json';
import { addressBytes, providerPrefix, readAddress } from '../address.js';
import { lengthKey, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';
import { byStatus } from './status-filter.js';

function providersOf({ state, forms }: QueryContext): Provider[] {
  return state.providers.map((record) => forms.of(Provider, record));
}

/** Provider parameters come from the genesis: no block in a recording changes them. */
function genesisParams({ view }: QueryContext): Params {
  const vpn = view.genesis.appState['vpn'] as { provider?: { params?: unknown } };
  return fromJson(Params, vpn.provider?.params ?? {});
}

export const providerHandlers: readonly QueryHandler[] = [
  on(queryProviders, (request, context) => {
    const entries = byStatus(providersOf(context), request.status, ({ address }) => lengthKey(addressBytes(address)));
    const { items, pagination } = paginate(entries, request.pagination);
    return { providers: items, pagination };
  }),
  on(queryProvider, (request, context) => {
    const { text } = readAddress(request.address, providerPrefix);
    const provider = providersOf(context).find(({ address }) => address === text);
    if (provider === undefined) throw notFound(`provider ${request.address} does not exist`);
    return { provider };
  }),
  on(queryParams, (_request, context) => ({ params: genesisParams(context) })),
];

import { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import { Params } from '@hubwatch/types/gen/forms/hub/oracle/v1/params';
import { queryAsset, queryAssets, queryParams } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { entriesOf, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

function assetsOf({ state, forms }: QueryContext): Asset[] {
  return state.assets.map((record) => forms.of(Asset, record));
}

export const oracleHandlers: readonly QueryHandler[] = [
  on(queryAssets, (request, context) => {
    const entries = entriesOf(
      assetsOf(context),
      ({ denom }) => Buffer.from(denom),
      (asset) => asset,
    );
    const { items, pagination } = paginate(entries, request.pagination);
    return { assets: items, pagination };
  }),
  on(queryAsset, (request, context) => {
    const asset = assetsOf(context).find(({ denom }) => denom === request.denom);
    if (asset === undefined) throw notFound(`asset ${request.denom} does not exist`);
    return { asset };
  }),
  on(queryParams, (_request, { state, forms }) => ({ params: forms.of(Params, state.params['oracle/v1'] ?? {}) })),
];

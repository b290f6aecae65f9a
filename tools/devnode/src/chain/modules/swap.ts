import { Params } from '@hubwatch/types/gen/forms/hub/swap/v1/params';
import { Swap } from '@hubwatch/types/gen/forms/hub/swap/v1/swap';
import { queryParams, querySwap, querySwaps } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import { entriesOf, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

const hashBytes = 32;

function swapsOf({ state, forms }: QueryContext): Swap[] {
  return state.swaps.map((record) => forms.of(Swap, record));
}

export const swapHandlers: readonly QueryHandler[] = [
  on(querySwaps, (request, context) => {
    const entries = entriesOf(
      swapsOf(context),
      ({ txHash }) => Buffer.from(txHash),
      (swap) => swap,
    );
    const { items, pagination } = paginate(entries, request.pagination);
    return { swaps: items, pagination };
  }),
  on(querySwap, (request, context) => {
    // For the lookup a hash is truncated or left-padded with zeros to its usual length. The error shows it as sent.
    const cut = Buffer.from(request.txHash).subarray(-hashBytes);
    const wanted = Buffer.concat([Buffer.alloc(hashBytes - cut.length), cut]);
    const swap = swapsOf(context).find(({ txHash }) => wanted.equals(txHash));
    if (swap === undefined)
      throw notFound(`swap does not exist for hash ${Buffer.from(request.txHash).toString('hex').toUpperCase()}`);
    return { swap };
  }),
  on(queryParams, (_request, { state, forms }) => ({ params: forms.of(Params, state.params['swap/v1'] ?? {}) })),
];

import { allowances } from '@hubwatch/types/gen/methods/stack/feegrant/v1beta1/query';
import { proposals } from '@hubwatch/types/gen/methods/stack/gov/v1/query';
import type { PageResponse } from '@hubwatch/types/gen/forms/stack/base/query/v1beta1/pagination';
import { QueryError } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

const noMore: PageResponse = { nextKey: new Uint8Array(), total: 0n };

/**
 * The page of a list that is empty in the genesis, until the first block with a message that adds to it: states of a
 * recording do not hold such records, so that from there on nothing is known of them.
 */
function emptyUntil(message: string, { height, view }: QueryContext): PageResponse {
  const first = view.playback.blocks.firstWith(`"${message}"`);
  if (first === undefined || height < first) return noMore;
  throw new QueryError(
    13,
    `records that ${message} of block ${first} adds to are state that this recording does not hold`,
  );
}

export const emptyListHandlers: readonly QueryHandler[] = [
  on(proposals, (_request, context) => ({
    proposals: [],
    pagination: emptyUntil('/stack.gov.v1.MsgSubmitProposal', context),
  })),
  on(allowances, (_request, context) => ({
    allowances: [],
    pagination: emptyUntil('/stack.feegrant.v1beta1.MsgGrantAllowance', context),
  })),
];

import { allowances } from '@hubwatch/types/gen/methods/stack/feegrant/v1beta1/query';
import { proposals } from '@hubwatch/types/gen/methods/stack/gov/v1/query';
import type { PageResponse } from '@hubwatch/types/gen/forms/stack/base/query/v1beta1/pagination';
import { QueryError } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

const noMore: PageResponse = { nextKey: new Uint8Array(), total: 0n };

/**
 * Returns an empty page for a list that is empty in the genesis, up to the first block with a message that adds to it.
 * Recorded states do not contain such records, so the content of the list is unknown from that block on.
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

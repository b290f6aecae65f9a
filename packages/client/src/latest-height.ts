import type { GetLatestBlockRequest } from '@hubwatch/types/gen/forms/stack/base/bft/v1beta1/query';
import { everywhere, type Everywhere } from '@hubwatch/types/gen/methods/availability';
import { defineTable } from '@hubwatch/types/runtime/define-table';
import type { Method } from '@hubwatch/types/runtime/method';

interface LatestHeight {
  readonly block: { readonly header: { readonly height: bigint } } | undefined;
}

const header = /* @__PURE__ */ defineTable('bft.types.Header', '3:height int64');
const block = /* @__PURE__ */ defineTable('bft.types.Block', 'header message!', () => [header]);
const request = /* @__PURE__ */ defineTable<GetLatestBlockRequest>('stack.base.bft.v1beta1.GetLatestBlockRequest');
const response = /* @__PURE__ */ defineTable<LatestHeight>(
  'stack.base.bft.v1beta1.GetLatestBlockResponse',
  '2:block message',
  () => [block],
);

/**
 * `getLatestBlock` with the height alone. The tables of a whole block, with evidence and light clients, would be a
 * twentieth of a browser bundle.
 */
export const getLatestHeight: Method<GetLatestBlockRequest, LatestHeight, Everywhere> = {
  service: 'stack.base.bft.v1beta1.Service',
  name: 'GetLatestBlock',
  request,
  response,
  rest: { verb: 'GET', path: '/stack/base/bft/v1beta1/blocks/latest' },
  availability: everywhere,
};

// Methods that read the head of a node, with only the required fields. The tables of a whole block and plan also contain
// evidence and light clients, which would take a twentieth of a browser bundle.
import { GetLatestBlockRequest } from '@hubwatch/types/gen/forms/stack/base/bft/v1beta1/query';
import { QueryCurrentPlanRequest } from '@hubwatch/types/gen/forms/stack/upgrade/v1beta1/query';
import { everywhere, type Everywhere } from '@hubwatch/types/gen/methods/availability';
import { defineTable } from '@hubwatch/types/runtime/define-table';
import type { Method } from '@hubwatch/types/runtime/method';

interface LatestHeight {
  readonly block: { readonly header: { readonly height: bigint } } | undefined;
}

interface PlannedHeight {
  readonly plan: { readonly name: string; readonly height: bigint } | undefined;
}

const header = /* @__PURE__ */ defineTable('bft.types.Header', '3:height int64');
const block = /* @__PURE__ */ defineTable('bft.types.Block', 'header message!', () => [header]);
const latestHeight = /* @__PURE__ */ defineTable<LatestHeight>(
  'stack.base.bft.v1beta1.GetLatestBlockResponse',
  '2:block message',
  () => [block],
);
const plan = /* @__PURE__ */ defineTable('stack.upgrade.v1beta1.Plan', 'name,3:height int64');
const plannedHeight = /* @__PURE__ */ defineTable<PlannedHeight>(
  'stack.upgrade.v1beta1.QueryCurrentPlanResponse',
  'plan message',
  () => [plan],
);

/** `getLatestBlock`, reduced to the height of the block. */
export const getLatestHeight: Method<GetLatestBlockRequest, LatestHeight, Everywhere> = {
  service: 'stack.base.bft.v1beta1.Service',
  name: 'GetLatestBlock',
  request: GetLatestBlockRequest,
  response: latestHeight,
  rest: { verb: 'GET', path: '/stack/base/bft/v1beta1/blocks/latest' },
  availability: everywhere,
};

/** `currentPlan`, reduced to the name and height of the plan. */
export const currentPlannedHeight: Method<QueryCurrentPlanRequest, PlannedHeight, Everywhere> = {
  service: 'stack.upgrade.v1beta1.Query',
  name: 'CurrentPlan',
  request: QueryCurrentPlanRequest,
  response: plannedHeight,
  rest: { verb: 'GET', path: '/stack/upgrade/v1beta1/current_plan' },
  availability: everywhere,
};

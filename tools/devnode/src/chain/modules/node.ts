import { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { Params } from '@hubwatch/types/gen/forms/hub/node/v3/params';
import {
  queryNode,
  queryNodes,
  queryNodesForPlan,
  queryParams,
} from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { addressBytes, nodePrefix, readAddress } from '../address.js';
import { lengthKey, paginate, paginateDefective } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';
import { byStatus, statusHit, withStatusKey } from './status-filter.js';

const keyOf = (node: Node): Buffer => lengthKey(addressBytes(node.address));

function nodesOf({ state, forms }: QueryContext): Node[] {
  return state.nodes.map((record) => forms.of(Node, record));
}

export const nodeHandlers: readonly QueryHandler[] = [
  on(queryNodes, (request, context) => {
    const { items, pagination } = paginate(byStatus(nodesOf(context), request.status, keyOf), request.pagination);
    return { nodes: items, pagination };
  }),
  on(queryNodesForPlan, (request, context) => {
    const linked = new Set(context.state.plan_nodes[String(request.id)] ?? []);
    const entries = withStatusKey(
      nodesOf(context).filter((node) => linked.has(node.address)),
      keyOf,
      false,
    );
    const { items, pagination } = paginateDefective(entries, request.pagination, statusHit(request.status));
    return { nodes: items, pagination };
  }),
  on(queryNode, (request, context) => {
    const { text } = readAddress(request.address, nodePrefix);
    const node = nodesOf(context).find(({ address }) => address === text);
    if (node === undefined) throw notFound(`node does not exist for address ${request.address}`);
    return { node };
  }),
  on(queryParams, (_request, { state, forms }) => ({ params: forms.of(Params, state.params['node/v3'] ?? {}) })),
];

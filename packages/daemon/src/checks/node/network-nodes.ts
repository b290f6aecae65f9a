import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { sweepEndpoints } from '../../config/sweep-endpoints.js';
import { readPages } from '../../endpoints/pages.js';
import type { Check, Target } from '../check.js';
import { shortText } from '../../enum-text.js';
import { gauge, sample } from '../family.js';

interface NetworkReading {
  readonly byStatus: ReadonlyMap<string, number>;
  readonly height: bigint | undefined;
}

/** Updated by the sweep of nodes, or by this check if sweeps are off. */
export const networkNodesFamily = gauge('hub_nodes', ['status'], 'Nodes of the whole network', 'sweep');

/**
 * Number of nodes of the whole network by status, counted page by page at one height, and rarely. This is the only list short
 * enough to be read from a foreign endpoint. The check does nothing if sweeps count the nodes.
 */
export const networkNodes: Check<Target, NetworkReading> = {
  name: 'network',
  families: [networkNodesFamily],
  everyMs: (config) => config.poll.network,
  targets: (config) => (sweepEndpoints(config).length > 0 ? [] : [{ key: 'network' }]),
  collect: (_target, { pool, signal }) =>
    pool.read('all nodes', signal, async (source) => {
      const byStatus = new Map([
        ['active', 0],
        ['inactive', 0],
      ]);
      const { height } = await readPages(
        source,
        { method: queryNodes, request: {}, items: (page) => page.nodes },
        (page) => {
          for (const node of page) {
            const status = shortText(StatusTable, node.status);
            byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
          }
        },
      );
      return { byStatus, height };
    }),
  metrics: (_target, { byStatus }) =>
    [...byStatus].map(([status, count]) => sample(networkNodesFamily, [status], count)),
};

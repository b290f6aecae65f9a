import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryNodes, queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { Check, Target } from '../check.js';
import { enumText } from '../../enum-text.js';
import { gauge, sample } from '../family.js';
import { secondsOf } from '../times.js';

interface NetworkReading {
  readonly byStatus: ReadonlyMap<string, number>;
  readonly height: bigint | undefined;
  /** Time without a heartbeat after which a node goes inactive. */
  readonly statusTimeoutSeconds: number;
}

const nodes = gauge('hub_nodes', ['status'], 'Nodes of the whole network', 'sweep');

/** Nodes of the whole network by status, counted page by page at one height, seldom. */
export const networkNodes: Check<Target, NetworkReading> = {
  name: 'network',
  families: [nodes],
  everyMs: (config) => config.poll.network,
  targets: () => [{ key: 'network' }],
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
            const status = enumText(StatusTable, node.status);
            byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
          }
        },
      );
      const { message } = await source.call(queryParams, {}, height);
      return { byStatus, height, statusTimeoutSeconds: secondsOf(message.params.statusTimeout) };
    }),
  metrics: (_target, { byStatus }) => [...byStatus].map(([status, count]) => sample(nodes, [status], count)),
};

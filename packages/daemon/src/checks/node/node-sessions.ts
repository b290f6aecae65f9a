import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { querySessionsForNode } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { Check } from '../check.js';
import { enumText } from '../../enum-text.js';
import { gauge, sample } from '../family.js';
import { type NodeTarget, nodeTargets } from './watched-nodes.js';

interface SessionsReading {
  readonly byStatus: ReadonlyMap<string, number>;
  readonly height: bigint | undefined;
}

const sessions = gauge('hub_node_sessions', ['node', 'status'], 'Sessions on the node');
/** A session of a kind that this version does not know still counts. */
const unknownKind = 'unknown';

/** Sessions on every watched node, counted by status while the pages come in. */
export const nodeSessions: Check<NodeTarget, SessionsReading> = {
  name: 'sessions',
  families: [sessions],
  everyMs: (config) => config.poll.sessions,
  targets: nodeTargets,
  collect: (target, { pool, signal }) =>
    pool.read(`sessions of ${target.key}`, signal, async (source) => {
      const byStatus = new Map([
        ['active', 0],
        ['inactive_pending', 0],
      ]);
      const { height } = await readPages(
        source,
        { method: querySessionsForNode, request: { address: target.key }, items: (page) => page.sessions },
        (page) => {
          for (const session of page) {
            const base = session.value?.baseSession;
            const status = base === undefined ? unknownKind : enumText(StatusTable, base.status);
            byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
          }
        },
      );
      return { byStatus, height };
    }),
  metrics: ({ key }, { byStatus }) => [...byStatus].map(([status, count]) => sample(sessions, [key, status], count)),
};

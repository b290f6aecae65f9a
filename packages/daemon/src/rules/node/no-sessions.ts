import type { Rule } from '../rule.js';
import { judgeEachNodesSessions } from './each-node-sessions.js';

/** Minimum usual number of active sessions for which their absence is reported. */
const usualLeast = 1;

/** A node that usually has sessions has had none for hours: it may be active on the chain and unreachable. */
export const noSessions: Rule = {
  name: 'HubNodeNoSessions',
  severity: 'warning',
  forMs: 6 * 3_600_000,
  time: 'chain',
  // A node that lapsed together with others has its own firing alert, even if it is not notified.
  inhibitedBy: [
    { rule: 'HubChainHalted', equal: 'chain' },
    { rule: 'HubNodeInactive', equal: 'subject' },
  ],
  prometheus: {
    expr: `max without (status) (
    hub_node_sessions{status="active"} == 0
    and avg_over_time(hub_node_sessions{status="active"}[7d]) > ${usualLeast}
    and hub_node_sessions{status="active"} offset 1d
  )`,
    labels: ['node'],
    summary: '{{ $labels.node }}: no active sessions, although it usually has some',
    description:
      'It earns nothing from sessions. Check that it is reachable at its published address and that its price is competitive.',
    difference:
      'Prometheus averages over scrapes. The daemon computes its own average, which gaps between scrapes do not affect.',
  },
  evaluate: (view) =>
    judgeEachNodesSessions(view, ({ key, title }, { facts, usual }) => {
      if (facts.active > 0) return { state: 'ok', title: `${title}: has sessions again`, text: '' };
      if (usual === undefined || usual <= usualLeast)
        return { state: 'ok', title: `${title}: has no sessions, as is usual`, text: '' };
      return {
        state: 'firing',
        title: `${title}: no active session, usually ${usual.toFixed(1)}`,
        text: [
          `The node had ${usual.toFixed(1)} active sessions on average over the last week, and has none now.`,
          'It may not be reachable at its published address, or its price may have driven users away.',
          `Node: ${key}`,
        ].join('\n'),
      };
    }),
};

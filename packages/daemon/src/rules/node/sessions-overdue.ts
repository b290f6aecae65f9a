import { counted, utc } from '../../words.js';
import type { Rule } from '../rule.js';
import { judgeEachNodesSessions } from './each-node-sessions.js';
import { settlementText } from './sessions-at-stake.js';

/** The chain does not end or settle sessions whose deadline has passed. */
export const sessionsOverdue: Rule = {
  name: 'HubNodeSessionsOverdue',
  severity: 'warning',
  forMs: 600_000,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: 'hub_node_sessions_overdue > 0',
    labels: ['node'],
    summary: '{{ $labels.node }}: {{ $value | printf "%.0f" }} sessions still exist after their deadline',
    description:
      'These sessions are not settled yet. The chain ends or settles a session in the first block after its deadline, so either the endpoint has an outdated state or the chain is faulty. Compare with another endpoint.',
  },
  evaluate: (view) =>
    judgeEachNodesSessions(view, ({ key, title }, { facts }, moment) => {
      if (facts.overdue === undefined)
        return { state: 'unknown', title: `${title}: the chain's time is not known`, text: '' };
      if (facts.overdue === 0) return { state: 'ok', title: `${title}: sessions are settled in time`, text: '' };
      return {
        state: 'firing',
        title: `${title}: ${counted(facts.overdue, 'session')} past the deadline and still there`,
        text: [
          `At ${moment.head === undefined ? 'an unknown time' : utc(moment.head.timeMs)} (chain time) their deadlines had passed. The chain ends or settles a session at the begin of the first block after its deadline.`,
          'Either the endpoint answers with an old state, or the chain leaves work undone.',
          '',
          settlementText(facts),
          `Node: ${key}`,
        ].join('\n'),
      };
    }),
};

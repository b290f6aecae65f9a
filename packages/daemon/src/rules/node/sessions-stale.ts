import { counted, span } from '../../words.js';
import type { Rule } from '../rule.js';
import { judgeEachNodesSessions } from './each-node-sessions.js';
import { settlementText } from './sessions-at-stake.js';

/**
 * Minimum number of silent sessions. A single silent session may be unused, because a node reports usage only if there is some.
 */
const enough = 2;

/**
 * No session of a node reports usage any more. A silent session among others that report is idle, and its lapse is a normal
 * end. If all are silent, the node has stopped reporting and is not paid for its service. On a node with one session at a time,
 * consecutive silent sessions count.
 */
export const sessionsStale: Rule = {
  name: 'HubNodeSessionsStale',
  severity: 'warning',
  forMs: 60_000,
  time: 'chain',
  inhibitedBy: [
    { rule: 'HubChainHalted', equal: 'chain' },
    { rule: 'HubNodeInactive', equal: 'subject' },
  ],
  prometheus: {
    expr: `hub_node_sessions_stale + hub_node_sessions_lapsed >= ${enough}
  and hub_node_sessions_stale == max without (status) (hub_node_sessions{status="active"})`,
    labels: ['node'],
    summary: '{{ $labels.node }}: no session reports usage',
    description:
      'The chain ends a session one session timeout after its last update and settles only the usage reported until then. Check that the node reaches its endpoint and can pay its transaction fees.',
    difference: 'In Prometheus, new sessions without an update delay it.',
  },
  evaluate: (view) =>
    judgeEachNodesSessions(view, ({ key, title }, { facts, news, timeoutMs }) => {
      if (facts.stale === undefined)
        return { state: 'unknown', title: `${title}: the chain's time is not known`, text: '' };
      const silent = facts.stale + news.silent;
      // When the silent sessions are gone, there is no evidence until another session starts.
      const isPresent = facts.stale + news.lapsed > 0;
      if (facts.reporting > 0 || !isPresent || silent < enough)
        return { state: 'ok', title: `${title}: usage of sessions is reported, or none is silent`, text: '' };
      const gone = Math.max(0, news.silent - news.lapsed);
      return {
        state: 'firing',
        title: `${title}: no session reports usage any more`,
        text: [
          `${counted(silent, 'session')} had no usage update for ${span(view.config.watch.session_stale_share * timeoutMs)} or longer: ${facts.stale} still active, ${silent - gone - facts.stale} ending for want of one${gone > 0 ? `, ${gone} ended so before` : ''}. None of its ${counted(facts.active, 'active session')} was updated in that time.`,
          `The chain ends a session ${span(timeoutMs)} after its last update and settles it as long again after that, for the usage reported until then.`,
          '',
          settlementText(facts),
          '',
          'Look at the node: does it still reach its endpoint, and can it pay the fees of its transactions?',
          `Node: ${key}`,
        ].join('\n'),
      };
    }),
};

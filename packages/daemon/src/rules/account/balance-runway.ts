import { seconds } from '../../checks/prometheus.js';
import { nodeTargets } from '../../checks/node/watched-nodes.js';
import { amountText, utc } from '../../words.js';
import { judgeEach } from '../judge-each.js';
import type { Rule } from '../rule.js';
import { heartbeatMeans } from './heartbeat-means.js';

/** Runway below which an operator should act. */
const shortMs = 3 * 86_400_000;

/**
 * The account that pays a node's heartbeats will soon run out, according to its balance or its remaining grant. Heartbeats then
 * fail, the node becomes inactive, and every lease on it ends.
 */
export const balanceRunway: Rule = {
  name: 'HubBalanceRunway',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `hub_node_fee_payer_info
  * ignoring (node, denom) group_left () (hub_account_runway_seconds < ${seconds(shortMs)})`,
    labels: ['node', 'account'],
    summary: '{{ $labels.node }}: funds for heartbeats last only {{ $value | humanizeDuration }}',
    description:
      '{{ $labels.account }} pays for the heartbeats. When its balance is used up, heartbeats fail, the node becomes inactive and its leases end. Top up the account.',
    difference:
      'Prometheus uses only the last known balance. The daemon also considers the rest of a fee grant and the time since the balance was read.',
  },
  evaluate: (view) =>
    judgeEach(nodeTargets(view.config), ({ key, title }) => {
      const base = { subject: key, term: '' };
      const means = heartbeatMeans(view, key);
      if (means === undefined)
        return { ...base, state: 'unknown', title: `${title}: what its heartbeats cost is not known`, text: '' };
      const { fee, shortest, isComplete } = means;
      if (shortest === undefined || shortest.endMs - view.clockMs >= shortMs) {
        const lasts = shortest === undefined ? 'cost nothing' : `are paid for until about ${utc(shortest.endMs)}`;
        const state = isComplete ? 'ok' : 'unknown';
        return { ...base, state, title: `${title}: its heartbeats ${lasts}`, text: shortest?.text ?? '' };
      }
      const { endMs } = shortest;
      return {
        ...base,
        state: 'firing',
        dueMs: endMs,
        title:
          shortest.beats === 0n
            ? `${title}: its next heartbeat cannot be paid`
            : `${title}: money for heartbeats lasts until about ${utc(endMs)}`,
        text: [
          shortest.text,
          `A heartbeat costs ${amountText(fee.amount, fee.denom)}${fee.from === 'balance' ? ', as far as the balance tells' : ''}.`,
          '',
          'When it is used up heartbeats fail, the node becomes inactive and its leases end.',
          `Node: ${key}`,
        ].join('\n'),
      };
    }),
};

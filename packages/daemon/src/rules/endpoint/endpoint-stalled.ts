import { ofOwn, isIn } from '../../checks/prometheus.js';
import type { EndpointVerdict } from '../../endpoints/judgement.js';
import { judgeEachEndpoint, seenText, verdictText } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** The operator's own endpoint does not advance while the chain does: stuck, frozen, or without the binary of an upgrade. */
export const endpointStalled: Rule = {
  name: 'HubHeightStalled',
  severity: 'critical',
  forMs: 60_000,
  time: 'clock',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: ofOwn(isIn('hub_endpoint_verdict', 'verdict', ['stuck', 'frozen', 'upgrade'] satisfies EndpointVerdict[])),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: your node receives no new blocks while the chain advances',
    description:
      'The daemon reads no current values from it. `hub_endpoint_verdict` shows the reason. stuck: check its log and its peers. frozen: restart it. upgrade: install the new release and start it.',
  },
  evaluate: (view) =>
    judgeEachEndpoint(
      view,
      ({ role }) => role === 'own',
      ({ config: { name }, verdict, facts, reading }) => {
        const title = `${name}: ${verdictText(facts, verdict, reading.plan)}`;
        if (verdict === 'stuck' || verdict === 'frozen' || verdict === 'upgrade') {
          const text = `Nothing that needs the present is read from it. ${advice[verdict]}\n\n${seenText(reading)}`;
          return { term: '', state: 'firing', title, text };
        }
        // An endpoint that halted with the chain, or without a block so far, has not been seen to advance.
        const isMoving = facts.stillMs !== undefined && moving.has(verdict);
        return { term: '', state: isMoving ? 'ok' : 'unknown', title, text: '' };
      },
    ),
};

/** Verdicts on endpoints that receive new blocks, if they were seen to advance. */
const moving: ReadonlySet<EndpointVerdict> = new Set(['ok', 'syncing', 'behind', 'state_behind']);

const advice = {
  stuck: 'Look at its log and its peers: an application-hash fault stops a node at one height for good.',
  frozen: 'Restart it. A subscription with a number or time condition on a text attribute can cause this.',
  upgrade: 'Install the program of the upgrade and start it.',
} as const;

import { judgeEachEndpoint, verdictText } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** The operator's own endpoint stands still while the chain goes on: stuck, frozen, or without the program of an upgrade. */
export const endpointStalled: Rule = {
  name: 'HubHeightStalled',
  severity: 'critical',
  forMs: 60_000,
  time: 'clock',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  evaluate: (view) =>
    judgeEachEndpoint(
      view,
      ({ role }) => role === 'own',
      ({ config: { name }, verdict, facts, reading }) => {
        const isStalled = verdict === 'stuck' || verdict === 'frozen' || verdict === 'upgrade';
        return isStalled
          ? {
              term: '',
              state: 'firing',
              title: `${name}: ${verdictText(facts, verdict, reading.plan)}`,
              text: `Nothing that needs the present is read from it. ${advice[verdict]}`,
            }
          : { term: '', state: 'ok', title: `${name}: ${verdictText(facts, verdict)}`, text: '' };
      },
    ),
};

const advice = {
  stuck: 'Look at its log and its peers: an application-hash fault stops a node at one height for good.',
  frozen: 'Restart it. A subscription with a number or time condition on a text attribute can cause this.',
  upgrade: 'Install the program of the upgrade and start it: the others already run it.',
} as const;

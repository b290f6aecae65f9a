import { judgeEachEndpoint, verdictText } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** The operator's own endpoint has new blocks and answers from an old state. */
export const stateBehind: Rule = {
  name: 'HubStateBehindBlocks',
  severity: 'critical',
  forMs: 120_000,
  time: 'clock',
  evaluate: (view) =>
    judgeEachEndpoint(
      view,
      ({ role }) => role === 'own',
      ({ config: { name }, verdict, facts }) => ({
        term: '',
        state: verdict === 'state_behind' ? 'firing' : 'ok',
        title: `${name}: ${verdictText(facts, verdict)}`,
        text: verdict === 'state_behind' ? 'Its answers are of the past and are not used.' : '',
      }),
    ),
};

import { isStateBehind } from '../../endpoints/judgement.js';
import { judgeEachEndpoint, verdictText } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** The operator's own endpoint has new blocks but serves an old state. */
export const stateBehind: Rule = {
  name: 'HubStateBehindBlocks',
  severity: 'critical',
  forMs: 120_000,
  time: 'clock',
  evaluate: (view) =>
    judgeEachEndpoint(
      view,
      ({ role }) => role === 'own',
      ({ config: { name }, facts }) => {
        const isBehind = isStateBehind(facts);
        const title = `${name}: ${verdictText(facts, 'state_behind')}`;
        if (isBehind === undefined)
          return { term: '', state: 'unknown', title: `${name}: its state is not known`, text: '' };
        if (isBehind)
          return { term: '', state: 'firing', title, text: 'Its answers are of the past and are not used.' };
        return { term: '', state: 'ok', title, text: '' };
      },
    ),
};

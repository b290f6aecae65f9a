import { type EndpointVerdict } from '../../endpoints/judgement.js';
import { isIn } from '../../checks/prometheus.js';
import { judgeEachEndpoint, verdictText } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** An endpoint has another block, or another state, than most others at the same height. */
export const consensusMismatch: Rule = {
  name: 'HubConsensusMismatch',
  severity: 'critical',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: isIn('hub_endpoint_verdict', 'verdict', ['forked', 'disputed'] satisfies EndpointVerdict[]),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the hashes differ from those of other endpoints',
    description:
      'It has a different block or state at the same height. The daemon does not use a forked endpoint. Check the endpoint. If the endpoints are evenly divided, add a third one to the configuration.',
  },
  evaluate: (view) =>
    judgeEachEndpoint(
      view,
      () => true,
      ({ config: { name }, verdict, facts, reading }) => {
        const compared = reading.compared.get(name);
        if (verdict !== 'forked' && verdict !== 'disputed')
          return {
            term: '',
            // Agreement is established only if hashes were compared.
            state: compared === undefined ? 'unknown' : 'ok',
            title: `${name}: its hashes are those of the others`,
            text: '',
          };
        const fields = [
          compared?.block === 'agrees' ? [] : ['block'],
          compared?.app === 'agrees' ? [] : ['application'],
        ];
        return {
          term: '',
          state: 'firing',
          title: `${name}: ${verdictText(facts, verdict)}`,
          text: `Compared at ${compared?.height ?? 'an earlier height'}: the hash of the ${fields.flat().join(' and of the ')} differs. ${
            verdict === 'forked' ? 'Its data are not used.' : 'Ask a third endpoint: add one to the configuration.'
          }`,
        };
      },
    ),
};

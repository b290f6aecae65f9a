import { ofOwn } from '../../checks/prometheus.js';
import { isStateBehind, stateBlocks } from '../../endpoints/judgement.js';
import { judgeEachEndpoint, verdictText } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** The operator's own endpoint has new blocks but serves an old state. */
export const stateBehind: Rule = {
  name: 'HubStateBehindBlocks',
  severity: 'critical',
  forMs: 120_000,
  time: 'clock',
  prometheus: {
    expr: ofOwn(
      `hub_endpoint_latest_block_height - min without (transport) (hub_endpoint_state_height) > ${stateBlocks}`,
    ),
    labels: ['endpoint'],
    summary:
      '{{ $labels.endpoint }}: the state of your node is {{ $value | printf "%.0f" }} blocks behind its newest block',
    description:
      'It stores new blocks but does not execute them. Its responses are outdated, and the daemon does not use them. Check its log for an application error.',
    difference:
      'Endpoints without gRPC and REST have no series for their state. In a demo the daemon raises the limit by the speed of the clock.',
  },
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

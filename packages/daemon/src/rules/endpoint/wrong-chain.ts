import { type EndpointVerdict } from '../../endpoints/judgement.js';
import { isIn } from '../../checks/prometheus.js';
import { judgeEachEndpoint } from './endpoint-verdicts.js';
import type { Rule } from '../rule.js';

/** An endpoint serves a chain other than the watched one. */
export const wrongChain: Rule = {
  name: 'HubChainIdChanged',
  severity: 'critical',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: isIn('hub_endpoint_verdict', 'verdict', ['wrong_chain'] satisfies EndpointVerdict[]),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: serves a different chain',
    description:
      'The daemon does not use its responses. Its address may lead to another network, or its operator moved it. Check the address; `hub_endpoint_info` shows the chain id.',
  },
  evaluate: (view) =>
    judgeEachEndpoint(
      view,
      () => true,
      ({ config: { name }, verdict, reading }) => {
        const right = reading.expectedChainId ?? 'the chain that is watched';
        if (verdict !== 'wrong_chain')
          return { term: '', state: 'ok', title: `${name}: serves ${right}`, text: 'Its data are used again.' };
        const served = reading.chainIds.get(name) ?? 'another chain';
        return {
          term: served,
          state: 'firing',
          title: `${name}: serves ${served}, not ${right}`,
          text: `Nothing that it answers is used. Its address may lead to another network, or its operator moved it.`,
        };
      },
    ),
};

import { ofOwn } from '../../checks/prometheus.js';
import type { Verdict } from '../../checks/verdict.js';
import { answersText, isDown, reasonsOf, transportsOf } from './endpoint-transports.js';
import { allEndpointsDown } from './all-endpoints-down.js';
import type { Rule } from '../rule.js';

/**
 * The operator's own endpoint responds neither over gRPC nor over the consensus RPC, nor over REST if it has no other
 * transport.
 */
export const ownNodeDown: Rule = {
  name: 'HubOwnNodeDown',
  severity: 'critical',
  forMs: 60_000,
  time: 'clock',
  inhibitedBy: [{ rule: allEndpointsDown.name, equal: 'chain' }],
  prometheus: {
    expr: ofOwn('max without (transport) (hub_endpoint_up{transport!="websocket"}) == 0'),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: your node does not respond',
    description:
      'No transport responds. Its state is unknown, and its users get no response either. Check its process and its log.',
  },
  evaluate: (view) =>
    view.config.endpoints
      .filter(({ role }) => role === 'own')
      .map((endpoint): Verdict => {
        const transports = transportsOf(view, endpoint);
        const base = { subject: endpoint.name, term: '' };
        if (transports.some(({ datum }) => datum?.state === 'known'))
          return {
            ...base,
            state: 'ok',
            title: `${endpoint.name}: ${answersText(transports)}`,
            text: reasonsOf(transports),
          };
        if (!transports.every(isDown))
          return { ...base, state: 'unknown', title: `${endpoint.name}: not asked yet`, text: '' };
        return {
          ...base,
          state: 'firing',
          title: `${endpoint.name}: your node does not answer`,
          text: `${reasonsOf(transports)}\n\nIts state is unknown, and its users get no answer either.`,
        };
      }),
};

import { networkName } from '../../config/network-name.js';
import { answersText, isDown, reasonsOf, transportsOf } from './endpoint-transports.js';
import type { Rule } from '../rule.js';
import { counted } from '../../words.js';

/** No endpoint responds over any transport: this daemon has no data, and no other alert can be judged. */
export const allEndpointsDown: Rule = {
  name: 'HubAllEndpointsDown',
  severity: 'critical',
  forMs: 60_000,
  time: 'clock',
  prometheus: {
    expr: 'max without (endpoint, transport) (hub_endpoint_up{transport!="websocket"}) == 0',
    labels: [],
    summary: 'No endpoint responds',
    description:
      'The state of nodes, leases and sessions is unknown, and alerts about them can neither fire nor resolve. First check the network connection of the machine that runs the daemon.',
    difference: 'Endpoints whose status could not be read have no series and are ignored.',
  },
  evaluate(view) {
    const { endpoints } = view.config;
    const subject = networkName(view.config);
    const base = { subject, term: '' };
    const all = endpoints.map((endpoint) => ({ name: endpoint.name, transports: transportsOf(view, endpoint) }));
    const up = all.filter(({ transports }) => transports.some(({ datum }) => datum?.state === 'known'));
    if (up.length > 0)
      return [
        {
          ...base,
          state: 'ok',
          title: `${subject}: ${up.length} of ${counted(endpoints.length, 'endpoint')} ${up.length === 1 ? 'answers' : 'answer'}`,
          text: all.map(({ name, transports }) => `- ${name}: ${answersText(transports)}`).join('\n'),
        },
      ];
    if (!all.every(({ transports }) => transports.every(isDown)))
      return [{ ...base, state: 'unknown', title: `${subject}: endpoints were not asked yet`, text: '' }];
    return [
      {
        ...base,
        state: 'firing',
        title: `${subject}: no endpoint works (${counted(endpoints.length, 'endpoint')} tried)`,
        text: [
          'Until one answers nothing is known of nodes, leases and sessions, and no alert about them is raised or ended.',
          ...all.map(({ name, transports }) => `\n${name}\n${reasonsOf(transports)}`),
          '',
          'When all fail at once the way from this machine to the network is the first thing to look at.',
        ].join('\n'),
      },
    ];
  },
};

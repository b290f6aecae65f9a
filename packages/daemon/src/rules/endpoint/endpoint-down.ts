import { notOfReferences } from '../../checks/prometheus.js';
import type { Verdict } from '../../checks/verdict.js';
import type { EndpointConfig } from '../../config/schema.js';
import {
  answersText,
  isDown,
  namesOf,
  reasonsOf,
  type TransportState,
  transportsOf,
  websocketOf,
} from './endpoint-transports.js';
import type { Rule } from '../rule.js';

const onlyWebsocket =
  'New blocks are polled at the usual intervals, so events are reported some seconds later. Let the proxy forward websockets, or set `websocket: false` for the endpoint.';

const judge = ({ name }: EndpointConfig, transports: readonly TransportState[]): Verdict => {
  const base = { subject: name, term: '' };
  const down = transports.filter(isDown);
  if (down.length > 0) {
    const isAll = transports.every((one) => isDown(one) || one.transport === 'websocket');
    const isWebsocket = down.every(({ transport }) => transport === 'websocket');
    const what = isAll ? 'does not answer' : `no answer over ${namesOf(down)}`;
    return {
      ...base,
      state: 'firing',
      retold: true,
      title: `${name}: ${what}`,
      text: `The last probes:\n${reasonsOf(transports)}\n\n${isWebsocket ? onlyWebsocket : 'What is read over it is missing from pages and metrics; other endpoints are used where they are configured.'}`,
    };
  }
  if (transports.some(({ datum }) => datum === undefined))
    return {
      ...base,
      state: 'unknown',
      title: `${name}: not known over ${namesOf(transports.filter(({ datum }) => datum === undefined))}`,
      text: '',
    };
  return {
    ...base,
    state: 'ok',
    title: `${name}: ${answersText(transports)}`,
    text: `Every transport of ${name} answers:\n${reasonsOf(transports)}`,
  };
};

/**
 * A transport of the operator's own endpoint, or of an archive, does not respond to probes. There are several other endpoints;
 * metrics show when they are unavailable.
 */
export const endpointDown: Rule = {
  name: 'HubEndpointDown',
  severity: 'warning',
  forMs: 180_000,
  time: 'clock',
  inhibitedBy: [
    { rule: 'HubAllEndpointsDown', equal: 'chain' },
    { rule: 'HubOwnNodeDown', equal: 'endpoint' },
  ],
  prometheus: {
    expr: notOfReferences('min without (transport) (hub_endpoint_up) == 0'),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: a transport does not respond',
    description:
      'Values that are read over it are missing, unless another configured endpoint provides them. `hub_endpoint_up` shows which transport it is. A proxy that does not forward websockets also causes this.',
    difference:
      'In Prometheus a websocket counts as down at once. While the consensus RPC responds, the daemon waits for two failed connection attempts.',
  },
  evaluate: (view) =>
    view.config.endpoints
      .filter(({ role }) => role !== 'reference')
      .map((endpoint) => judge(endpoint, [...transportsOf(view, endpoint), ...websocketOf(view, endpoint)])),
};

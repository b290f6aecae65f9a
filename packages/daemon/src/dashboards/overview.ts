import { countOrZero, gained, ofNode, stateNumber, untilTime } from './expressions.js';
import type { Colours, Dashboard } from './panel.js';

/** Any at all is bad. */
const noneIsGood: Colours = { base: 'green', thresholds: [{ from: 1, colour: 'red' }] };
const noneIsBetter: Colours = { base: 'green', thresholds: [{ from: 1, colour: 'orange' }] };

/** Four minutes are the last notice of a heartbeat, fifteen its usual remainder of alarm. */
const heartbeatSlack: Colours = {
  base: 'red',
  thresholds: [
    { from: 60, colour: 'orange' },
    { from: 240, colour: 'green' },
  ],
};

/** Is anything wrong, when is the next deadline, how old is the data, what was earned today. */
export const overview: Dashboard = {
  name: 'overview',
  title: 'Overview',
  about: 'Is anything wrong, when is the next deadline, how old is the data, and what was earned today?',
  subjects: [],
  from: 'now-24h',
  refresh: '1m',
  rows: [
    {
      title: 'Is anything wrong?',
      panels: [
        {
          ...{ kind: 'stat', title: 'Critical alerts', unit: 'none', width: 4, colours: noneIsGood },
          question: 'How many critical alerts fire? Two monitors of the same targets count an alert twice.',
          queries: [{ expr: countOrZero('hubwatch_alerts{state="firing",severity="critical"}'), legend: 'critical' }],
        },
        {
          ...{ kind: 'table', title: 'Alerts', unit: 'none', width: 12 },
          question: 'Which alerts fire or are about to, and which monitor reports them?',
          emptyBecause: 'no condition of a rule holds.',
          rows: { alertname: 'Alert', severity: 'Severity', state: 'State', instance: 'Monitor' },
          queries: [
            {
              title: 'Count',
              expr: 'sum by (alertname, severity, state, instance) (hubwatch_alerts{state=~"firing|pending"})',
            },
          ],
        },
        {
          ...{ kind: 'state-timeline', title: 'Chain', unit: 'none', width: 12, height: 4 },
          question: 'Did the chain produce blocks, as its endpoints show it?',
          alerts: ['HubChainHalted'],
          states: [
            { value: 1, text: 'moving', colour: 'green' },
            { value: 2, text: 'halted', colour: 'red' },
            { value: 3, text: 'waits for an upgrade', colour: 'orange' },
            { value: 4, text: 'unknown', colour: 'yellow' },
          ],
          queries: [
            {
              expr: `max by (instance) (${stateNumber('hub_chain_state', 'state', ['moving', 'halted', 'upgrade', 'unknown'])})`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'When is the next deadline?',
      panels: [
        {
          ...{ kind: 'stat', title: 'Next heartbeat deadline', unit: 'seconds', width: 6, colours: heartbeatSlack },
          question:
            'How much time is left, in chain time, until the first watched node goes inactive without a heartbeat?',
          alerts: ['HubNodeHeartbeatLate', 'HubNodeInactive'],
          queries: [{ expr: `min(${untilTime('hub_node_inactive_timestamp_seconds')})`, legend: 'time left' }],
        },
        {
          ...{
            kind: 'bargauge',
            title: 'Nodes with the least time left',
            unit: 'seconds',
            width: 12,
            colours: heartbeatSlack,
          },
          question: 'Which nodes have the least time left until their heartbeat deadline, in chain time?',
          alerts: ['HubNodeHeartbeatLate'],
          queries: [
            {
              expr: `bottomk(8, ${ofNode(untilTime('hub_node_inactive_timestamp_seconds'))})`,
              legend: '{{alias}}',
            },
          ],
        },
      ],
    },
    {
      title: 'How old is the data?',
      panels: [
        {
          ...{ kind: 'stat', title: 'Age of the newest block', unit: 'seconds', width: 6, colours: noneIsBetter },
          question: 'How long ago was the newest block that the endpoints agree on, by the clock of Prometheus?',
          queries: [{ expr: 'time() - max(hub_head_timestamp_seconds)', legend: 'age' }],
        },
      ],
    },
    {
      title: 'What was earned today?',
      panels: [
        {
          ...{ kind: 'stat', title: 'Received by nodes today', unit: 'grouped', width: 8, timeFrom: 'now/d' },
          question: 'What did the watched nodes receive since midnight, in the base unit of the denomination?',
          queries: [
            {
              expr: `sum by (denom) (${gained('hub_node_received_amount_total', '$__range', ['node', 'denom', 'source'])})`,
              legend: '{{denom}}',
            },
          ],
        },
      ],
    },
  ],
};

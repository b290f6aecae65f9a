import { chainStates } from '../endpoints/judgement.js';
import {
  asDate,
  countOrZero,
  earned,
  ofAccount,
  ofChain,
  ofNode,
  ofProvider,
  stateNumber,
  untilTime,
} from './expressions.js';
import {
  blockAge,
  chainStateTexts,
  heartbeatLeft,
  hoursLeft,
  intervalsMissed,
  noneOrOrange,
  noneOrRed,
} from './judgements.js';
import type { Dashboard, PanelRow } from './panel.js';

const wrong: PanelRow = {
  title: 'Is anything wrong?',
  panels: [
    {
      ...{ kind: 'stat', title: 'Critical alerts', unit: 'none', width: 4, colours: noneOrRed },
      question: 'How many critical alerts fire? Two monitors of the same targets count an alert twice.',
      queries: [{ expr: countOrZero('hubwatch_alerts{state="firing",severity="critical"}') }],
    },
    {
      ...{ kind: 'stat', title: 'Warnings', unit: 'none', width: 4, colours: noneOrOrange },
      question: 'How many warning alerts fire? Two monitors of the same targets count an alert twice.',
      queries: [{ expr: countOrZero('hubwatch_alerts{state="firing",severity="warning"}') }],
    },
    {
      ...{ kind: 'stat', title: 'Monitors down', unit: 'none', width: 4, colours: noneOrRed },
      question: 'How many monitors does Prometheus fail to scrape? While one is down, its other series are absent.',
      queries: [{ expr: 'count(up) - sum(up)' }],
    },
    {
      ...{ kind: 'stat', title: 'Endpoints in trouble', unit: 'none', width: 4, colours: noneOrOrange },
      question:
        'How many endpoints have a verdict other than ok: down, behind, frozen, on another chain or in dispute?',
      alerts: ['HubEndpointDown', 'HubOwnNodeDown', 'HubHeightStalled', 'HubConsensusMismatch'],
      queries: [{ expr: 'sum(1 - min by (endpoint) (hub_endpoint_verdict{verdict="ok"}))' }],
    },
    {
      ...{ kind: 'stat', title: 'Nodes not active', unit: 'none', width: 4, colours: noneOrRed },
      question: 'How many watched nodes are not active on the chain?',
      alerts: ['HubNodeInactive', 'HubNodesLapsed'],
      queries: [{ expr: `sum(1 - ${ofChain('hub_node_status{status="active"}', 'node')})` }],
    },
    {
      ...{ kind: 'stat', title: 'Pending notices', unit: 'none', width: 4, colours: noneOrOrange },
      question: 'How many notices are waiting for delivery? Recipients have not received them yet.',
      queries: [{ expr: countOrZero('hubwatch_notification_queue_entries') }],
    },
    {
      ...{ kind: 'table', title: 'Alerts', unit: 'none', width: 12 },
      question: 'Which alerts fire or are about to, and which monitor reports them?',
      emptyBecause: 'no condition of a rule holds.',
      rows: { alertname: 'Alert', severity: 'Severity', state: 'State', instance: 'Monitor' },
      queries: [
        {
          title: 'Count',
          expr: 'sum by (alertname, severity, state, instance) (hubwatch_alerts{state=~"firing|pending"}) > 0',
        },
      ],
    },
    {
      ...{ kind: 'state-timeline', title: 'Chain', unit: 'none', width: 12, states: chainStateTexts },
      question: 'Did the chain produce blocks, as each monitor sees it through its endpoints?',
      alerts: ['HubChainHalted'],
      queries: [
        {
          expr: `max by (instance) (${stateNumber('hub_chain_state', 'state', chainStates)})`,
          legend: '{{instance}}',
        },
      ],
    },
  ],
};

const deadlines: PanelRow = {
  title: 'When is the next deadline?',
  panels: [
    {
      ...{ kind: 'stat', title: 'Next heartbeat deadline', unit: 'seconds', width: 6, colours: heartbeatLeft },
      question: 'How much chain time is left until the first watched node goes inactive without a heartbeat?',
      alerts: ['HubNodeHeartbeatLate', 'HubNodeInactive'],
      queries: [{ expr: `min(${ofChain(untilTime('hub_node_inactive_timestamp_seconds'), 'node')})` }],
    },
    {
      ...{ kind: 'stat', title: 'Next end of a lease', unit: 'seconds', width: 6 },
      question: 'How much chain time is left until the term of the first lease ends?',
      alerts: ['HubLeaseEndingSoon', 'HubLeaseRenewalBlocked'],
      queries: [{ expr: `min(${ofChain(untilTime('hub_lease_end_timestamp_seconds'), 'lease_id')})` }],
    },
    {
      ...{ kind: 'stat', title: 'Next payout of a lease', unit: 'seconds', width: 6 },
      question:
        'How much chain time is left until the next hour of a lease is paid? Below zero the payment is overdue.',
      alerts: ['HubLeasePayoutOverdue'],
      queries: [{ expr: `min(${ofChain(untilTime('hub_lease_next_payout_timestamp_seconds'), 'lease_id')})` }],
    },
    {
      ...{ kind: 'stat', title: 'Next settlement of a session', unit: 'seconds', width: 6 },
      question: 'How much chain time is left until the next ending session is settled?',
      emptyBecause: 'no session on a watched node is ending.',
      alerts: ['HubNodeSessionsOverdue'],
      queries: [{ expr: `min(${ofChain(untilTime('hub_node_session_next_settlement_timestamp_seconds'), 'node')})` }],
    },
    {
      ...{ kind: 'bargauge', title: 'Nodes with the least time', unit: 'seconds', width: 12, colours: heartbeatLeft },
      question: 'Which nodes have the least chain time left until their heartbeat deadline?',
      alerts: ['HubNodeHeartbeatLate'],
      queries: [
        { expr: `bottomk(8, ${ofNode(untilTime('hub_node_inactive_timestamp_seconds'))})`, legend: '{{alias}}' },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Planned upgrade', unit: 'fromNow', width: 4, height: 8 },
      question: 'When does the chain reach the height of the planned upgrade, at its current pace?',
      emptyBecause: 'no upgrade is planned.',
      alerts: ['HubUpgradeScheduled', 'HubUpgradeSoon', 'HubUpgradeWindow'],
      queries: [{ expr: asDate('max(hub_upgrade_plan_estimated_timestamp_seconds)') }],
    },
    {
      ...{ kind: 'stat', title: 'Voting ends', unit: 'fromNow', width: 4, height: 8 },
      question:
        'When does voting end on proposals that change parameters of the hub or the oracle, or upgrade the chain?',
      emptyBecause: 'no such proposal is in its voting period.',
      alerts: ['HubProposalOpen'],
      queries: [
        {
          expr: asDate(ofChain('hub_proposal_voting_end_timestamp_seconds', 'proposal_id')),
          legend: 'proposal {{proposal_id}}',
        },
      ],
    },
    {
      ...{
        kind: 'stat',
        title: 'Next certificate to expire',
        unit: 'seconds',
        width: 4,
        height: 8,
        colours: hoursLeft,
      },
      question: 'How much time is left until the first certificate of an endpoint or a watched node expires?',
      emptyBecause: 'no endpoint uses TLS and nodes are not reached (`watch.reach.enabled`).',
      alerts: ['HubTlsCertificateExpiring', 'HubTlsCertificateExpiryImminent'],
      queries: [
        { expr: 'min(hub_endpoint_tls_not_after_timestamp_seconds) - time()', legend: 'endpoint' },
        { expr: 'min(hub_node_tls_not_after_timestamp_seconds) - time()', legend: 'node' },
      ],
    },
  ],
};

const age: PanelRow = {
  title: 'How old is the data?',
  panels: [
    {
      ...{ kind: 'stat', title: 'Age of the newest block', unit: 'seconds', width: 6, colours: blockAge },
      question: 'How long ago was the newest block that the endpoints agree on, by the clock of Prometheus?',
      alerts: ['HubChainHalted'],
      queries: [{ expr: 'max by (instance) (time() - hub_head_timestamp_seconds)', legend: '{{instance}}' }],
    },
    {
      ...{
        kind: 'stat',
        title: 'Most delayed job, in intervals',
        unit: 'intervals',
        width: 6,
        colours: intervalsMissed,
      },
      question: 'How many poll intervals ago did the most delayed job last read all of its targets?',
      queries: [
        {
          expr: 'max by (instance) ((time() - hubwatch_poll_last_success_timestamp_seconds) / hubwatch_poll_interval_seconds)',
          legend: '{{instance}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Blocks without their events', unit: 'blocks', width: 6, colours: intervalsMissed },
      question: 'How many blocks is the ledger behind the head? Income from these blocks is not counted yet.',
      queries: [{ expr: 'max by (instance) (hubwatch_unprocessed_blocks)', legend: '{{instance}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Age of counts of the network', unit: 'seconds', width: 6 },
      question: 'How long ago was the last complete read of the most outdated list of the network?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      alerts: ['HubwatchSweepStale'],
      queries: [
        { expr: 'time() - min by (instance) (hubwatch_sweep_last_complete_timestamp_seconds)', legend: '{{instance}}' },
      ],
    },
    {
      ...{
        kind: 'timeseries',
        title: 'Age of the newest block over time',
        unit: 'seconds',
        width: 24,
        colours: blockAge,
      },
      question: 'Was the newest known block always recent? A gap means that no endpoint responded.',
      alerts: ['HubChainHalted', 'HubAllEndpointsDown'],
      queries: [{ expr: 'max by (instance) (time() - hub_head_timestamp_seconds)', legend: '{{instance}}' }],
    },
  ],
};

const income: PanelRow = {
  title: 'What was earned today?',
  panels: [
    {
      ...{ kind: 'stat', title: 'Received by nodes today', unit: 'grouped', width: 6, timeFrom: 'now/d' },
      question: 'What did the watched nodes receive since midnight, in the base unit of the denomination?',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      queries: [
        {
          expr: `sum by (denom) (${ofNode(earned('hub_node_received_amount_total', '$__range'), 'denom', 'source')})`,
          legend: '{{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Received by providers today', unit: 'grouped', width: 6, timeFrom: 'now/d' },
      question: 'What did the watched providers receive for subscriptions since midnight, in the base unit?',
      emptyBecause: 'no provider is watched.',
      queries: [
        {
          expr: `sum by (denom) (${ofProvider(earned('hub_provider_received_amount_total', '$__range'), 'denom')})`,
          legend: '{{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Paid by providers today', unit: 'grouped', width: 6, timeFrom: 'now/d' },
      question: 'What did the watched providers pay for lease hours since midnight, in the base unit?',
      emptyBecause: 'no provider is watched.',
      queries: [
        {
          expr: `sum by (denom) (${ofProvider(earned('hub_provider_paid_amount_total', '$__range'), 'denom')})`,
          legend: '{{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Paid by accounts today', unit: 'grouped', width: 6, timeFrom: 'now/d' },
      question: 'What did the watched accounts pay as clients since midnight, in the base unit?',
      emptyBecause: 'no account is watched.',
      queries: [
        {
          expr: `sum by (denom) (${ofAccount(earned('hub_account_paid_amount_total', '$__range'), 'denom', 'source')})`,
          legend: '{{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Received by nodes, by hour', unit: 'grouped', width: 24, barsEvery: '1h' },
      question: 'What did the watched nodes receive in the hour before each bar, in the base unit of the denomination?',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      queries: [
        {
          expr: `sum by (source, denom) (${ofNode(earned('hub_node_received_amount_total', '1h'), 'denom', 'source')})`,
          legend: '{{source}} {{denom}}',
        },
      ],
    },
  ],
};

/** The first questions of every operator. */
export const overview: Dashboard = {
  name: 'overview',
  title: 'Overview',
  about: 'Is anything wrong, when is the next deadline, how old is the data, and what was earned today?',
  subjects: [],
  from: 'now-24h',
  refresh: '1m',
  rows: [wrong, deadlines, age, income],
};

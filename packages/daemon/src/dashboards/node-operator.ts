import {
  asDate,
  changesWithin,
  earned,
  ofAccount,
  ofChain,
  ofNode,
  ofNodeLease,
  sinceTime,
  stateNumber,
  untilTime,
} from './expressions.js';
import {
  heartbeatLeft,
  hoursLeft,
  noneOrOrange,
  noneOrRed,
  statuses,
  statusTexts,
  yesIsBad,
  yesIsGood,
} from './judgements.js';
import type { Dashboard, PanelRow } from './panel.js';

const timeLeft = ofNode(untilTime('hub_node_inactive_timestamp_seconds'));
const status = ofNode(stateNumber('hub_node_status', 'status', statuses));
const node = { alias: 'Node', node: 'Address' };

const heartbeats: PanelRow = {
  title: 'Heartbeats',
  panels: [
    {
      ...{ kind: 'table', title: 'Nodes', unit: 'none', width: 24, height: 10 },
      question: 'Which node needs a heartbeat soonest, and what is lost without one?',
      alerts: ['HubNodeHeartbeatLate', 'HubNodeInactive', 'HubNodeUnregistered'],
      rows: node,
      sortBy: { column: 'Time left' },
      queries: [
        { title: 'Status', expr: status, states: statusTexts },
        { title: 'Time left', expr: timeLeft, unit: 'seconds', colours: heartbeatLeft },
        { title: 'Last heartbeat', expr: ofNode(asDate('hub_node_status_timestamp_seconds')), unit: 'fromNow' },
        { title: 'Usual interval', expr: ofNode('hub_node_heartbeat_interval_seconds'), unit: 'seconds' },
        { title: 'Leases', expr: ofNode('hub_node_leases') },
        { title: 'Active sessions', expr: ofNode('hub_node_sessions{status="active"}') },
        { title: 'On the chain', expr: ofNode('hub_node_registered'), states: yesIsGood },
      ],
    },
    {
      ...{
        kind: 'timeseries',
        title: 'Time left until the deadline',
        unit: 'seconds',
        width: 12,
        colours: heartbeatLeft,
      },
      question:
        'How close did each node come to its deadline? Lines fall until a heartbeat lifts them, and must not reach 0.',
      alerts: ['HubNodeHeartbeatLate'],
      queries: [{ expr: timeLeft, legend: '{{alias}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Later than usual', unit: 'seconds', width: 12 },
      question: 'By how much is the next heartbeat later than usual? Above 0 the node is late.',
      alerts: ['HubNodeHeartbeatLate'],
      queries: [
        {
          expr: ofNode(`${sinceTime('hub_node_status_timestamp_seconds')} - hub_node_heartbeat_interval_seconds`),
          legend: '{{alias}}',
        },
      ],
    },
    {
      ...{ kind: 'state-timeline', title: 'Status on the chain', unit: 'none', width: 18, states: statusTexts },
      question: 'When was each node active? The chain ends all leases on a node that goes inactive.',
      alerts: ['HubNodeInactive', 'HubNodesLapsed', 'HubNodeStatusFlapping'],
      queries: [{ expr: status, legend: '{{alias}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Timeout of a heartbeat', unit: 'seconds', width: 6, height: 8 },
      question: 'After which time without a heartbeat does the chain make a node inactive?',
      alerts: ['HubParametersChanged'],
      queries: [{ expr: ofChain('hub_node_status_timeout_seconds') }],
    },
  ],
};

const sessions: PanelRow = {
  title: 'Sessions',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Sessions', unit: 'none', width: 12, isStacked: true },
      question: 'How many sessions do the nodes serve, by their status on the chain?',
      alerts: ['HubNodeNoSessions'],
      queries: [{ expr: `sum by (status) (${ofNode('hub_node_sessions', 'status')})`, legend: '{{status}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Traffic', unit: 'bytesPerSecond', width: 12 },
      question: 'How much traffic do the nodes transfer per second, according to reported usage?',
      queries: [
        {
          expr: `sum by (alias, direction) (${ofNode('rate(hub_node_transferred_bytes_total[$__rate_interval])', 'direction')})`,
          legend: '{{alias}} {{direction}}',
        },
      ],
    },
    {
      ...{ kind: 'table', title: 'Sessions in trouble', unit: 'none', width: 24 },
      question: 'Which nodes do not report usage? Without a report the node earns nothing for that time.',
      alerts: ['HubNodeSessionsStale', 'HubNodeSessionsOverdue'],
      rows: node,
      queries: [
        { title: 'Stale', expr: ofNode('hub_node_sessions_stale'), colours: noneOrOrange },
        { title: 'Ended without a report', expr: ofNode('hub_node_sessions_lapsed'), colours: noneOrOrange },
        { title: 'Overdue', expr: ofNode('hub_node_sessions_overdue'), colours: noneOrRed },
        {
          ...{ title: 'Oldest report', unit: 'fromNow' },
          expr: ofNode(asDate('hub_node_session_oldest_update_timestamp_seconds')),
        },
        {
          ...{ title: 'Next settlement', unit: 'fromNow' },
          expr: ofNode(asDate('hub_node_session_next_settlement_timestamp_seconds')),
        },
        { title: 'Left in allocations', expr: ofNode('hub_node_allocation_remaining_bytes'), unit: 'bytes' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Sessions near or over a limit', unit: 'none', width: 8 },
      question: 'How many active sessions used 90 % of their bytes or time, and how many used all of it?',
      queries: [
        { expr: `sum by (limit) (${ofNode('hub_node_sessions_near_limit', 'limit')})`, legend: 'near {{limit}}' },
        { expr: `sum by (limit) (${ofNode('hub_node_sessions_over_limit', 'limit')})`, legend: 'over {{limit}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Bytes of present sessions', unit: 'bytes', width: 8 },
      question: 'How many bytes were reported for the sessions that exist now? Ended sessions are not included.',
      queries: [
        {
          expr: `sum by (direction) (${ofNode('hub_node_session_live_bytes', 'direction')})`,
          legend: '{{direction}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Allocations', unit: 'none', width: 8, isStacked: true },
      question: 'How many allocations do sessions of subscriptions use, and how many of these are used up?',
      queries: [{ expr: `sum by (state) (${ofNode('hub_node_allocations', 'state')})`, legend: '{{state}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Sessions started and settled', unit: 'none', width: 12 },
      question: 'How many sessions started and how many were settled in the selected time range?',
      emptyBecause: 'no session started or was settled since the ledger began.',
      queries: [
        { expr: `sum(${ofNode(earned('hub_node_sessions_started_total', '$__range'))})`, legend: 'started' },
        { expr: `sum(${ofNode(earned('hub_node_sessions_ended_total', '$__range'))})`, legend: 'settled' },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Timeout of a usage report', unit: 'seconds', width: 12 },
      question: 'After which time without a usage report does the chain end a session?',
      alerts: ['HubParametersChanged'],
      queries: [{ expr: ofChain('hub_session_status_timeout_seconds') }],
    },
  ],
};

const leases: PanelRow = {
  title: 'Leases',
  panels: [
    {
      ...{ kind: 'table', title: 'Leases on the nodes', unit: 'none', width: 24, height: 10 },
      question: 'Which leases end soonest, will they be renewed, and what does the next hour pay?',
      alerts: ['HubLeaseEndingSoon', 'HubLeaseRenewalBlocked', 'HubLeasePayoutOverdue'],
      emptyBecause: 'no lease runs on a watched node.',
      rows: { lease_id: 'Lease', alias: 'Node', provider: 'Provider' },
      sortBy: { column: 'Ends in' },
      queries: [
        { title: 'Ends in', expr: ofNodeLease(untilTime('hub_lease_end_timestamp_seconds')), unit: 'seconds' },
        {
          ...{ title: 'Next payout in', unit: 'seconds' },
          expr: ofNodeLease(untilTime('hub_lease_next_payout_timestamp_seconds')),
        },
        {
          ...{ title: 'Node gets next', unit: 'grouped' },
          expr: ofNodeLease('sum without (denom) (hub_lease_next_payout_amount{receiver="node"})'),
        },
        { title: 'Will be renewed', expr: ofNodeLease('hub_lease_renewal_expected'), states: yesIsGood },
        {
          ...{ title: 'Paid of the term', unit: 'percent' },
          expr: ofNodeLease('hub_lease_paid_seconds / hub_lease_term_seconds'),
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'At stake', unit: 'grouped', width: 12, isStacked: true },
      question: 'What would be lost if each node went inactive now, in the base unit of the denomination?',
      alerts: ['HubNodeHeartbeatLate'],
      queries: [
        { expr: ofNode('hub_node_lease_at_stake_amount', 'denom'), legend: '{{alias}} leases, {{denom}}' },
        { expr: ofNode('hub_node_session_at_stake_amount', 'denom'), legend: '{{alias}} sessions, {{denom}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Leases that ended', unit: 'none', width: 6, barsEvery: '1h' },
      question: 'How many leases ended in the hour before each bar, and why?',
      alerts: ['HubNodeLeasesLost', 'HubLeaseNotRenewed'],
      emptyBecause: 'no lease of a watched node has ended since the ledger began.',
      queries: [
        {
          expr: `sum by (reason) (${ofNode(earned('hub_node_leases_ended_total', '1h'), 'reason')})`,
          legend: '{{reason}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Paid lease hours', unit: 'none', width: 6, barsEvery: '1h' },
      question: 'How many hours of current leases on each node were paid in the hour before each bar?',
      emptyBecause: 'no hour of a present lease was paid since the ledger began.',
      queries: [
        { expr: `sum by (alias) (${ofNodeLease(earned('hub_lease_payouts_total', '1h'))})`, legend: '{{alias}}' },
      ],
    },
  ],
};

const income: PanelRow = {
  title: 'Income',
  panels: [
    {
      ...{ kind: 'bargauge', title: 'Received in the shown time', unit: 'grouped', width: 12 },
      question: 'What did each node receive in the selected time range, in the base unit of the denomination?',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      queries: [
        {
          expr: `sum by (alias, denom) (${ofNode(earned('hub_node_received_amount_total', '$__range'), 'denom', 'source')})`,
          legend: '{{alias}} {{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Received by hour', unit: 'grouped', width: 12, barsEvery: '1h' },
      question: 'What did the nodes receive from leases and sessions in the hour before each bar?',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      queries: [
        {
          expr: `sum by (source, denom) (${ofNode(earned('hub_node_received_amount_total', '1h'), 'denom', 'source')})`,
          legend: '{{source}} {{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Expected settlement of present sessions', unit: 'grouped', width: 12 },
      question:
        'For which amount would the current sessions be settled with the usage reported so far, and who would receive it?',
      queries: [
        {
          expr: `sum by (part, denom) (${ofNode('hub_node_session_expected_amount', 'denom', 'part')})`,
          legend: '{{part}} {{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Refunded by hour', unit: 'grouped', width: 12, barsEvery: '1h' },
      question: 'What was refunded to providers and clients in the hour before each bar?',
      emptyBecause: 'nothing was refunded since the ledger began.',
      queries: [
        {
          expr: `sum by (source, denom) (${ofNode(earned('hub_node_refunded_amount_total', '1h'), 'denom', 'source')})`,
          legend: '{{source}} {{denom}}',
        },
      ],
    },
  ],
};

const reach: PanelRow = {
  title: 'Reach',
  panels: [
    {
      ...{ kind: 'state-timeline', title: 'Reachable', unit: 'none', width: 12, states: yesIsGood },
      question: 'Was each published address of the node reachable over TLS?',
      alerts: ['HubNodeUnreachable'],
      emptyBecause: 'nodes are reached only with `watch.reach.enabled`.',
      queries: [{ expr: ofNode('hub_node_reachable', 'address_index'), legend: '{{alias}} address {{address_index}}' }],
    },
    {
      ...{ kind: 'table', title: 'Answers at the addresses', unit: 'none', width: 6 },
      question: 'Does the program at each published address identify itself as this node?',
      alerts: ['HubNodeIdentityMismatch'],
      emptyBecause: 'nodes are reached only with `watch.reach.enabled`.',
      rows: { alias: 'Node', address_index: 'Address' },
      queries: [
        {
          ...{ title: 'Is this node', states: yesIsGood },
          expr: `max by (alias, address_index) (${ofNode('hub_node_identity_matches', 'address_index')})`,
        },
      ],
    },
    {
      ...{ kind: 'table', title: 'Certificate and speed test', unit: 'none', width: 6 },
      question: 'When does the certificate of each node expire, and did its speed test work?',
      alerts: ['HubTlsCertificateExpiring'],
      emptyBecause: 'nodes are reached only with `watch.reach.enabled`.',
      rows: { alias: 'Node' },
      queries: [
        {
          ...{ title: 'Expires in', unit: 'seconds', colours: hoursLeft },
          expr: `max by (alias) (${ofNode('hub_node_tls_not_after_timestamp_seconds - time()')})`,
        },
        {
          ...{ title: 'Speed is plausible', states: yesIsGood },
          expr: `max by (alias) (${ofNode('hub_node_speed_test_plausible')})`,
        },
      ],
    },
  ],
};

const means: PanelRow = {
  title: 'Prices, fees and balances',
  panels: [
    {
      ...{ kind: 'table', title: 'Prices', unit: 'grouped', width: 12 },
      question: 'What is the price of each node, and would the chain refuse it in the next update?',
      alerts: ['HubNodePriceRefused', 'HubNodePriceChanged'],
      rows: { alias: 'Node', unit: 'For', denom: 'Denomination' },
      queries: [
        { title: 'Price', expr: `max by (alias, unit, denom) (${ofNode('hub_node_price', 'unit', 'denom')})` },
        {
          ...{ title: 'Refused', states: yesIsBad },
          expr: `max by (alias, unit, denom) (${ofNode('hub_node_price_refused', 'unit', 'denom')})`,
        },
      ],
    },
    {
      ...{ kind: 'bargauge', title: 'Runway of heartbeat fees', unit: 'seconds', width: 12, colours: hoursLeft },
      question: 'How long does the balance of the account that pays the heartbeats of each node last?',
      alerts: ['HubBalanceRunway', 'HubFeeGrantEnding'],
      queries: [
        {
          expr: ofNode(
            'hub_node_fee_payer_info * on (job, instance, account) group_left () min by (job, instance, account) (hub_account_runway_seconds)',
          ),
          legend: '{{alias}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Balances', unit: 'grouped', width: 12 },
      question:
        'What is the balance of the node accounts and other watched accounts, and what is the configured minimum?',
      alerts: ['HubBalanceLow'],
      queries: [
        { expr: ofAccount('hub_account_balance', 'denom'), legend: '{{alias}} {{denom}}' },
        { expr: ofAccount('hub_account_balance_minimum', 'denom'), legend: '{{alias}} minimum, {{denom}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Fee of a heartbeat', unit: 'grouped', width: 6 },
      question: 'What does a heartbeat of each node cost, in the base unit of the denomination?',
      queries: [{ expr: ofNode('hub_node_heartbeat_fee_amount', 'denom'), legend: '{{alias}} {{denom}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Changes of the nodes', unit: 'none', width: 6, height: 8 },
      question: 'How many changes of prices and published addresses were detected in the selected time range?',
      alerts: ['HubNodePriceChanged', 'HubNodeAddressChanged'],
      queries: [
        { expr: `sum(${ofNode(changesWithin('hub_node_price_changes_total', '$__range'))})`, legend: 'prices' },
        { expr: `sum(${ofNode(changesWithin('hub_node_address_changes_total', '$__range'))})`, legend: 'addresses' },
      ],
    },
    {
      ...{ kind: 'table', title: 'Fee grants', unit: 'none', width: 24 },
      question: 'Who pays fees for the accounts, until when, and how much is left?',
      alerts: ['HubFeeGrantEnding'],
      emptyBecause: 'no watched account has a fee grant with a limit or an end.',
      rows: { alias: 'Account', granter: 'Paid by' },
      queries: [
        {
          ...{ title: 'Expires', unit: 'fromNow' },
          expr: `max by (alias, granter) (${ofAccount(asDate('hub_account_fee_grant_expiry_timestamp_seconds'), 'granter')})`,
        },
        {
          ...{ title: 'Left', unit: 'grouped' },
          expr: `max by (alias, granter) (${ofAccount('sum without (denom) (hub_account_fee_grant_remaining_amount)', 'granter')})`,
        },
      ],
    },
    {
      ...{ kind: 'bargauge', title: 'Number of fee grants', unit: 'none', width: 24, height: 6 },
      question: 'How many fee grants does each account have? At most twenty are read.',
      queries: [{ expr: ofAccount('hub_account_fee_grants'), legend: '{{alias}}' }],
    },
  ],
};

/** For people who operate bandwidth nodes. */
export const nodeOperator: Dashboard = {
  name: 'node-operator',
  title: 'Node operator',
  about:
    'Do the bandwidth nodes send their heartbeats in time, whom do they serve, what do they earn, and can they be reached?',
  subjects: ['node'],
  from: 'now-6h',
  refresh: '1m',
  rows: [heartbeats, sessions, leases, income, reach, means],
};

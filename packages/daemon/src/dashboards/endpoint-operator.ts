import { asDate, changesWithin, countWithin, ofEndpoint, quantile, rateOf } from './expressions.js';
import { blockAge, hoursLeft, yesIsBad, yesIsGood, yesOrNo } from './judgements.js';
import type { Colours, Dashboard, PanelRow } from './panel.js';

const behindHead = (height: string): string => `-(${height} - on (job, instance) group_left () hub_head_height)`;

const heightLag: Colours = {
  base: 'green',
  thresholds: [
    { from: 5, colour: 'orange' },
    { from: 30, colour: 'red' },
  ],
};

const verdicts = { ok: 'ok', problem: 'not ok' } as const;
const endpoint = { endpoint: 'Endpoint', instance: 'Monitor' };
const byTransport = '{{endpoint}} {{transport}} ({{instance}})';
const byEndpoint = '{{endpoint}} ({{instance}})';

const present: PanelRow = {
  title: 'At the present of the chain',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Blocks behind the head', unit: 'blocks', width: 12, colours: heightLag },
      question: 'How many blocks is each endpoint behind the head that the endpoints agree on?',
      alerts: ['HubHeightStalled', 'HubOwnNodeDown', 'HubEndpointDown'],
      queries: [
        { expr: ofEndpoint(behindHead('hub_endpoint_latest_block_height')), legend: byEndpoint },
        { expr: ofEndpoint(behindHead('hub_endpoint_state_height'), 'transport'), legend: `${byTransport}, state` },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Age of the newest block', unit: 'seconds', width: 12, colours: blockAge },
      question:
        'How old is the newest block of each endpoint? A node can report that it is in sync and still be stuck.',
      alerts: ['HubHeightStalled', 'HubChainHalted'],
      queries: [{ expr: ofEndpoint('time() - hub_endpoint_latest_block_timestamp_seconds'), legend: byEndpoint }],
    },
    {
      ...{ kind: 'state-timeline', title: 'Judged as ok', unit: 'none', width: 12 },
      question: 'When was each endpoint up to date, on the right chain and in agreement with the others?',
      alerts: ['HubEndpointDown', 'HubChainIdChanged', 'HubConsensusMismatch', 'HubStateBehindBlocks'],
      states: [
        { value: 1, text: verdicts.ok, colour: 'green' },
        { value: 0, text: verdicts.problem, colour: 'red' },
      ],
      queries: [{ expr: ofEndpoint('hub_endpoint_verdict{verdict="ok"}'), legend: byEndpoint }],
    },
    {
      ...{ kind: 'state-timeline', title: 'Transports', unit: 'none', width: 12, states: yesIsGood },
      question: 'When did each transport respond to its probe?',
      alerts: ['HubOwnNodeDown', 'HubEndpointDown'],
      queries: [{ expr: ofEndpoint('hub_endpoint_up', 'transport'), legend: byTransport }],
    },
    {
      ...{ kind: 'table', title: 'Endpoints', unit: 'none', width: 24 },
      question: 'Is each endpoint on the right chain, in sync, and connected to peers?',
      alerts: ['HubChainIdChanged', 'HubClockSkew'],
      rows: endpoint,
      queries: [
        { title: 'Right chain', expr: ofEndpoint('hub_endpoint_chain_id_matches'), states: yesIsGood },
        { title: 'Reports syncing', expr: ofEndpoint('hub_endpoint_catching_up'), states: yesIsBad },
        { title: 'Newest block', expr: ofEndpoint('hub_endpoint_latest_block_height'), unit: 'grouped' },
        { title: 'Peers', expr: ofEndpoint('sum without (direction) (hub_endpoint_peers)') },
        { title: 'Transactions that wait', expr: ofEndpoint('hub_endpoint_mempool_transactions') },
        { title: 'Their size', expr: ofEndpoint('hub_endpoint_mempool_bytes'), unit: 'bytes' },
        { title: 'Clock skew', expr: ofEndpoint('hub_endpoint_clock_skew_seconds'), unit: 'seconds' },
      ],
    },
    {
      ...{ kind: 'table', title: 'Other verdicts', unit: 'none', width: 8 },
      question: 'Why is the verdict on an endpoint not ok?',
      emptyBecause: 'every endpoint is judged as ok.',
      alerts: ['HubHeightStalled', 'HubConsensusMismatch'],
      rows: { endpoint: 'Endpoint', verdict: 'Verdict', instance: 'Monitor' },
      queries: [{ title: 'Holds', expr: `${ofEndpoint('hub_endpoint_verdict{verdict!="ok"}', 'verdict')} == 1` }],
    },
    {
      ...{ kind: 'table', title: 'Hashes compared', unit: 'none', width: 8 },
      question: 'Does the hash of a block or of the application differ from that of most endpoints?',
      alerts: ['HubConsensusMismatch'],
      emptyBecause: 'fewer than two endpoints serve blocks over the consensus RPC.',
      rows: { endpoint: 'Endpoint', field: 'Hash of', instance: 'Monitor' },
      queries: [{ title: 'Differs', expr: ofEndpoint('hub_endpoint_consensus_mismatch', 'field'), states: yesIsBad }],
    },
    {
      ...{ kind: 'stat', title: 'Height of the comparison', unit: 'grouped', width: 8, height: 8 },
      question: 'At which height were hashes last compared?',
      emptyBecause: 'fewer than two endpoints serve blocks over the consensus RPC.',
      queries: [{ expr: ofEndpoint('hub_endpoint_consensus_compared_height'), legend: byEndpoint }],
    },
    {
      ...{ kind: 'timeseries', title: 'Time between blocks', unit: 'seconds', width: 24 },
      question: 'How much time passes between blocks, by their block times: median and 99th percentile?',
      alerts: ['HubChainHalted'],
      queries: [
        { expr: quantile(0.5, 'hub_block_interval_seconds', 'instance'), legend: 'median ({{instance}})' },
        { expr: quantile(0.99, 'hub_block_interval_seconds', 'instance'), legend: '99 % ({{instance}})' },
      ],
    },
  ],
};

const retention: PanelRow = {
  title: 'Retained history',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Retained state against required depth', unit: 'blocks', width: 12 },
      question: 'For how many past blocks does each transport serve state queries, and how many are required?',
      alerts: ['HubStatePruned', 'HubArchiveLost'],
      queries: [
        { expr: ofEndpoint(behindHead('hub_endpoint_earliest_state_height'), 'transport'), legend: byTransport },
        {
          expr: ofEndpoint('hub_endpoint_required_blocks{kind="state"}'),
          legend: `${byEndpoint} must hold`,
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Retained blocks against required depth', unit: 'blocks', width: 12 },
      question:
        'For how many past blocks does each endpoint serve blocks and transaction searches, and how many are required?',
      alerts: ['HubBlockRetentionShort', 'HubTxRetentionShort', 'HubBlockLost'],
      queries: [
        { expr: ofEndpoint(behindHead('hub_endpoint_earliest_block_height')), legend: `${byEndpoint} blocks` },
        { expr: ofEndpoint(behindHead('hub_endpoint_earliest_indexed_height')), legend: `${byEndpoint} transactions` },
        {
          expr: ofEndpoint('hub_endpoint_required_blocks{kind!="state"}', 'kind'),
          legend: `${byEndpoint} must hold, {{kind}}`,
        },
      ],
    },
    {
      ...{ kind: 'table', title: 'State by transport', unit: 'none', width: 12 },
      question: 'What is the lowest height with a state, how old is it, and when was it last confirmed?',
      alerts: ['HubStatePruned', 'HubArchiveLost'],
      rows: { endpoint: 'Endpoint', transport: 'Transport', instance: 'Monitor' },
      queries: [
        {
          ...{ title: 'Lowest state', unit: 'grouped' },
          expr: ofEndpoint('hub_endpoint_earliest_state_height', 'transport'),
        },
        {
          ...{ title: 'Is of', unit: 'dateTime' },
          expr: ofEndpoint(asDate('hub_endpoint_earliest_state_timestamp_seconds'), 'transport'),
        },
        {
          ...{ title: 'Confirmed', unit: 'fromNow' },
          expr: ofEndpoint(asDate('hub_endpoint_state_probe_timestamp_seconds'), 'transport'),
        },
      ],
    },
    {
      ...{ kind: 'table', title: 'Required depths', unit: 'none', width: 12 },
      question: 'Is the state at each required depth available?',
      alerts: ['HubStatePruned'],
      emptyBecause: 'no depth is required (`require.state_depths` of the endpoint).',
      rows: { endpoint: 'Endpoint', transport: 'Transport', depth: 'Depth', instance: 'Monitor' },
      queries: [
        { title: 'Held', expr: ofEndpoint('hub_endpoint_state_available', 'transport', 'depth'), states: yesIsGood },
      ],
    },
    {
      ...{ kind: 'table', title: 'Lowest block', unit: 'none', width: 12 },
      question: 'What is the lowest available block, and how old is it?',
      alerts: ['HubBlockRetentionShort'],
      rows: endpoint,
      queries: [
        { title: 'Lowest block', expr: ofEndpoint('hub_endpoint_earliest_block_height'), unit: 'grouped' },
        {
          ...{ title: 'Is of', unit: 'dateTime' },
          expr: ofEndpoint(asDate('hub_endpoint_earliest_block_timestamp_seconds')),
        },
      ],
    },
    {
      ...{ kind: 'table', title: 'Heights that must stay', unit: 'none', width: 12 },
      question: 'Which height must remain available, how fast does pruning approach it, and when will it be reached?',
      alerts: ['HubBlockLost', 'HubArchiveLost'],
      emptyBecause: 'no height must stay (`require.earliest_height` of the endpoint).',
      rows: { endpoint: 'Endpoint', kind: 'Of', instance: 'Monitor' },
      queries: [
        {
          ...{ title: 'Must stay', unit: 'grouped' },
          expr: ofEndpoint('hub_endpoint_required_earliest_height', 'kind'),
        },
        {
          ...{ title: 'Pruned in', unit: 'seconds', colours: hoursLeft },
          expr: ofEndpoint('hub_endpoint_required_height_loss_timestamp_seconds - time()', 'kind'),
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Pace of pruning', unit: 'blocksPerSecond', width: 24 },
      question:
        'How fast does pruning advance the lowest block, state and indexed block, in blocks per second of chain time?',
      emptyBecause: 'no bound has moved since the monitor started.',
      queries: [
        {
          expr: ofEndpoint('hub_endpoint_bound_speed_blocks_per_second', 'kind', 'transport'),
          legend: '{{endpoint}} {{kind}} {{transport}} ({{instance}})',
        },
      ],
    },
  ],
};

const answers: PanelRow = {
  title: 'Answers to the monitor',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Latency, median', unit: 'seconds', width: 8 },
      question: 'What is the median duration of requests, until a response or a failure?',
      queries: [
        {
          expr: quantile(0.5, 'hubwatch_request_duration_seconds', 'endpoint', 'transport', 'instance'),
          legend: byTransport,
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Latency, 99th percentile', unit: 'seconds', width: 8 },
      question: 'What is the 99th percentile of the duration of requests, until a response or a failure?',
      queries: [
        {
          expr: quantile(0.99, 'hubwatch_request_duration_seconds', 'endpoint', 'transport', 'instance'),
          legend: byTransport,
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Requests', unit: 'requestsPerSecond', width: 8 },
      question: 'How many requests does the monitor send to each endpoint?',
      queries: [{ expr: rateOf('hubwatch_requests_total', 'endpoint', 'transport', 'instance'), legend: byTransport }],
    },
    {
      ...{ kind: 'timeseries', title: 'Failures by reason', unit: 'requestsPerSecond', width: 12, isStacked: true },
      question: 'How many requests fail, and why?',
      emptyBecause: 'no request has failed since the monitor started.',
      queries: [
        {
          expr: rateOf('hubwatch_request_failures_total', 'endpoint', 'transport', 'reason'),
          legend: '{{endpoint}} {{transport}} {{reason}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Part of requests that fail', unit: 'percent', width: 12 },
      question: 'Which share of the requests to each endpoint fails?',
      emptyBecause: 'no request has failed since the monitor started.',
      queries: [
        {
          expr: `${rateOf('hubwatch_request_failures_total', 'endpoint', 'transport', 'instance')} / ${rateOf('hubwatch_requests_total', 'endpoint', 'transport', 'instance')}`,
          legend: byTransport,
        },
      ],
    },
    {
      ...{ kind: 'state-timeline', title: 'Endpoint in use', unit: 'none', width: 12, states: yesOrNo },
      question: 'Which endpoint do the displayed values come from, for each transport?',
      queries: [{ expr: ofEndpoint('hubwatch_endpoint_selected', 'transport'), legend: byTransport }],
    },
    {
      ...{ kind: 'stat', title: 'Failovers', unit: 'none', width: 6, height: 8 },
      question: 'How often did the endpoint in use change in the selected time range?',
      emptyBecause: 'the endpoint in use has not changed since the monitor started.',
      queries: [
        {
          expr: `sum by (transport, instance) (${countWithin('hubwatch_failovers_total', '$__range')})`,
          legend: '{{transport}} ({{instance}})',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Outdated answers', unit: 'none', width: 6, height: 8 },
      question:
        'How many responses were discarded because they were older than an earlier one? Such endpoints lag, or balance the load between nodes.',
      emptyBecause: 'no answer was older than one seen before.',
      queries: [
        {
          expr: `sum by (endpoint, transport) (${countWithin('hubwatch_endpoint_regressions_total', '$__range')})`,
          legend: '{{endpoint}} {{transport}}',
        },
      ],
    },
    {
      ...{ kind: 'state-timeline', title: 'Websocket connected', unit: 'none', width: 12, states: yesIsGood },
      question: 'When did each websocket deliver new blocks? Without a websocket the monitor polls for new blocks.',
      emptyBecause: 'no endpoint has a websocket (`websocket: false`).',
      queries: [{ expr: ofEndpoint('hubwatch_websocket_connected'), legend: byEndpoint }],
    },
    {
      ...{ kind: 'timeseries', title: 'Websocket events', unit: 'perSecond', width: 12 },
      question: 'How many events arrive, how many are dropped, and how often does the connection end?',
      emptyBecause: 'no endpoint has a websocket (`websocket: false`), or it never failed.',
      queries: [
        { expr: rateOf('hubwatch_websocket_events_total', 'endpoint', 'type'), legend: '{{endpoint}} {{type}}' },
        {
          expr: rateOf('hubwatch_websocket_events_dropped_total', 'endpoint', 'reason'),
          legend: '{{endpoint}} dropped: {{reason}}',
        },
        {
          expr: rateOf('hubwatch_websocket_reconnects_total', 'endpoint', 'reason'),
          legend: '{{endpoint}} reconnect: {{reason}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Last websocket event', unit: 'seconds', width: 24 },
      question: 'How long ago did each websocket deliver its last event?',
      emptyBecause: 'no endpoint has a websocket (`websocket: false`).',
      queries: [{ expr: ofEndpoint('time() - hubwatch_websocket_last_message_timestamp_seconds'), legend: byEndpoint }],
    },
  ],
};

const surface: PanelRow = {
  title: 'Program and surface',
  panels: [
    {
      ...{ kind: 'table', title: 'Versions', unit: 'none', width: 24 },
      question: 'Which application and consensus engine does each endpoint run, under which name and on which chain?',
      alerts: ['HubAppVersionsDiffer', 'HubAppVersionChanged'],
      rows: {
        ...{ endpoint: 'Endpoint', role: 'Role', network: 'Network', chain_id: 'Chain', moniker: 'Moniker' },
        ...{ engine_version: 'Engine', name: 'Application', version: 'Version', stack_version: 'Framework' },
      },
      queries: [
        {
          title: 'Known',
          expr: 'max by (endpoint, role, network, chain_id, moniker, engine_version, name, version, stack_version) (hub_endpoint_info * on (job, instance, endpoint) group_left (role, network) hub_endpoint_config_info * on (job, instance, endpoint) group_left (name, version, stack_version) hub_app_info)',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Unsafe methods', unit: 'none', width: 6, height: 8, states: yesIsBad },
      question: 'Are methods that change the node exposed? They are detected without calling them.',
      alerts: ['HubUnsafeRpcExposed'],
      queries: [{ expr: ofEndpoint('hub_endpoint_unsafe_rpc_exposed'), legend: byEndpoint }],
    },
    {
      ...{ kind: 'table', title: 'Capabilities', unit: 'none', width: 10 },
      question: 'Which features does each endpoint offer?',
      alerts: ['HubTxIndexOff'],
      rows: { endpoint: 'Endpoint', capability: 'Capability', instance: 'Monitor' },
      queries: [{ title: 'Offered', expr: ofEndpoint('hub_endpoint_capability', 'capability'), states: yesOrNo }],
    },
    {
      ...{ kind: 'timeseries', title: 'Blocks that the index lacks', unit: 'blocks', width: 8 },
      question: 'What is the maximum number of newest blocks that the event index lacks?',
      alerts: ['HubTxIndexOff'],
      queries: [{ expr: ofEndpoint('hub_endpoint_index_lag_blocks'), legend: byEndpoint }],
    },
    {
      ...{ kind: 'stat', title: 'Certificate expires in', unit: 'seconds', width: 6, colours: hoursLeft },
      question: 'How much time is left until the first certificate in the served certificate chain expires?',
      alerts: ['HubTlsCertificateExpiring', 'HubTlsCertificateExpiryImminent'],
      emptyBecause: 'no endpoint uses TLS.',
      queries: [
        {
          expr: ofEndpoint('hub_endpoint_tls_not_after_timestamp_seconds - time()', 'transport'),
          legend: byTransport,
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Changes of the application', unit: 'none', width: 6 },
      question: 'How often did the application or its version change in the selected time range?',
      alerts: ['HubAppVersionChanged'],
      queries: [{ expr: ofEndpoint(changesWithin('hub_app_version_changes_total', '$__range')), legend: byEndpoint }],
    },
    {
      ...{ kind: 'stat', title: 'Upgrade ahead', unit: 'grouped', width: 6 },
      question: 'At which height does the chain halt for the planned upgrade?',
      alerts: ['HubUpgradeScheduled', 'HubUpgradeSoon'],
      emptyBecause: 'no upgrade is planned.',
      queries: [
        {
          expr: 'max by (name) (hub_upgrade_plan_info * on (job, instance) group_left () hub_upgrade_plan_height)',
          legend: '{{name}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Program of the upgrade', unit: 'none', width: 6, states: yesIsGood },
      question: 'Is the binary for the planned upgrade in the configured folder?',
      alerts: ['HubUpgradeBinaryMissing'],
      emptyBecause: 'no upgrade is planned, or no folder is configured (`upgrades` of the endpoint).',
      queries: [{ expr: ofEndpoint('hub_upgrade_plan_binary_present'), legend: byEndpoint }],
    },
  ],
};

/** For people who operate full nodes. */
export const endpointOperator: Dashboard = {
  name: 'endpoint-operator',
  title: 'Endpoint operator',
  about: 'Are the endpoints at the present of the chain, how much history do they retain, and how do they answer?',
  subjects: ['endpoint'],
  from: 'now-6h',
  refresh: '1m',
  rows: [present, retention, answers, surface],
};

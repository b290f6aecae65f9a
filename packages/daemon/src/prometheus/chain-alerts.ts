import { fromHead, hasBegunOrIncreased, notOfReferences } from '../checks/prometheus.js';
import type { PrometheusAlert } from './alert.js';

const minute = 60_000;

const lag = 'hub_head_height - ignoring (endpoint) group_right () hub_endpoint_latest_block_height';
const peers = 'sum without (direction) (hub_endpoint_peers)';

/** Chain alerts that the daemon leaves to Prometheus: thresholds on endpoint gauges, and missing series. */
export const chainAlerts: readonly PrometheusAlert[] = [
  {
    name: 'HubEndpointLagging',
    severity: 'warning',
    forMs: 2 * minute,
    inhibitedBy: [{ rule: 'HubEndpointLaggingFar' }],
    expr: `${lag} > 20`,
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: {{ $value | printf "%.0f" }} blocks behind the agreed head',
    description:
      'The daemon reads no current values from it. It may be overloaded, badly connected or still syncing after a restart: check its load and its peers.',
  },
  {
    name: 'HubEndpointLaggingFar',
    severity: 'critical',
    forMs: 2 * minute,
    deviation: 'Not for references: their operators are others.',
    expr: notOfReferences(`${lag} > 300`),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: {{ $value | printf "%.0f" }} blocks behind the agreed head',
    description: 'Its users get outdated responses. Check its log, its peers and the load of its machine.',
  },
  {
    name: 'HubEndpointCatchingUp',
    severity: 'warning',
    forMs: 10 * minute,
    expr: 'hub_endpoint_catching_up == 1',
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: is syncing old blocks',
    description:
      'The daemon does not use it until the sync is complete. If its height does not increase, check its peers.',
  },
  {
    name: 'HubEndpointNoPeers',
    severity: 'critical',
    forMs: 2 * minute,
    deviation: 'Not for references: their operators are others.',
    expr: notOfReferences(`${peers} == 0`),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: has no peers',
    description: 'It receives no new blocks. Check its network, its firewall and its list of persistent peers.',
  },
  {
    name: 'HubEndpointPeersLow',
    severity: 'warning',
    forMs: 10 * minute,
    inhibitedBy: [{ rule: 'HubEndpointNoPeers' }],
    deviation: 'Not for references: their operators are others.',
    expr: notOfReferences(`${peers} < 3`),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: has only {{ $value | printf "%.0f" }} peers',
    description: 'If it loses them, it receives no new blocks. Add persistent peers.',
  },
  {
    name: 'HubMempoolBacklog',
    severity: 'warning',
    forMs: 10 * minute,
    expr: 'hub_endpoint_mempool_transactions > 100',
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: {{ $value | printf "%.0f" }} transactions are waiting for a block',
    description: 'Status transactions and payments may be delayed. Transactions with a higher fee are included first.',
  },
  {
    name: 'HubStateRetentionShort',
    severity: 'warning',
    forMs: 15 * minute,
    inhibitedBy: [{ rule: 'HubStatePruned' }],
    expr: `min without (transport) (
      hub_endpoint_state_height - hub_endpoint_earliest_state_height
        < ignoring (transport, kind) group_left () hub_endpoint_required_blocks{kind="state"}
      and hub_endpoint_state_probe_timestamp_seconds
    )`,
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: keeps states for only {{ $value | printf "%.0f" }} blocks',
    description:
      'Queries about earlier heights fail. `hub_endpoint_required_blocks` shows the required number. Keep more states on that node, or query another one.',
  },
  {
    name: 'HubNodeLeaseEnded',
    severity: 'warning',
    forMs: 0,
    inhibitedBy: [{ rule: 'HubNodeInactive' }],
    expr: hasBegunOrIncreased('hub_node_leases_ended_total{reason!="term"}', ['node', 'reason'], 10 * minute),
    labels: ['node', 'reason'],
    summary: '{{ $labels.node }}: a lease ended before the end of its term ({{ $labels.reason }})',
    description:
      'The node earns nothing from it any more. `hubwatch ledger --entries` and the status page show which lease it is. Its provider has to start a new one.',
  },
  {
    name: 'HubHeadUnknown',
    severity: 'warning',
    forMs: 5 * minute,
    inhibitedBy: [{ rule: 'HubAllEndpointsDown' }],
    expr: 'hubwatch_rule_evaluations_total unless hub_head_height',
    labels: [],
    summary: 'The head of the chain is unknown',
    description:
      'No endpoint reports a trustworthy height. Alerts that depend on chain time can neither fire nor resolve. `hub_endpoint_verdict` shows the state of each endpoint.',
  },
  {
    name: 'HubNodeNotRead',
    severity: 'warning',
    forMs: 10 * minute,
    inhibitedBy: [{ rule: 'HubAllEndpointsDown' }],
    expr: 'hub_node_config_info unless ignoring (alias) hub_node_registered',
    labels: ['node', 'alias'],
    summary: '{{ $labels.node }}: the record of this watched node cannot be read',
    description:
      'Alerts about this node can neither fire nor resolve. `hubwatch_poll_failures_total` and the log show why.',
  },
  {
    name: 'HubAccountNotRead',
    severity: 'warning',
    forMs: 30 * minute,
    inhibitedBy: [{ rule: 'HubAllEndpointsDown' }],
    expr: 'hub_account_config_info unless ignoring (alias) max without (denom) (hub_account_balance)',
    labels: ['account', 'alias'],
    summary: '{{ $labels.account }}: the balance of this watched account cannot be read',
    description:
      'Alerts about this account can neither fire nor resolve. `hubwatch_poll_failures_total` and the log show why.',
  },
];

/** Chain times in seconds relative to the agreed head, for dashboards. */
export const chainRecordings = {
  'endpoint:hub_endpoint_lag:blocks': lag,
  'instance:hub_head_age:seconds': 'time() - hub_head_timestamp_seconds',
  'node:hub_node_deadline:seconds': fromHead('hub_node_inactive_timestamp_seconds', ['node']),
  'lease:hub_lease_end:seconds': fromHead('hub_lease_end_timestamp_seconds', ['lease_id']),
} as const;

import type { RuleCase, Series } from './rule-case.js';

const own = 'endpoint="own"';
const labels = { endpoint: 'own' };
const configured: Series = { [`hub_endpoint_config_info{${own},role="own",network="m"}`]: 1 };
const reference: Series = { [`hub_endpoint_config_info{${own},role="own",network="m"}`]: '_x500' };

const verdictCase = (alert: string, verdict: string, more: Partial<RuleCase> = {}): RuleCase => ({
  alert,
  about: verdict,
  fires: { [`hub_endpoint_verdict{${own},verdict="${verdict}"}`]: 1, [`hub_endpoint_verdict{${own},verdict="ok"}`]: 0 },
  quiet: { [`hub_endpoint_verdict{${own},verdict="${verdict}"}`]: 0, [`hub_endpoint_verdict{${own},verdict="ok"}`]: 1 },
  labels,
  ...more,
});

const ofOwnVerdict = (alert: string, verdict: string): RuleCase => {
  const { fires, ...rest } = verdictCase(alert, verdict);
  return { ...rest, fires: { ...fires, ...configured } };
};

const bound = (kind: string, lowest: string): Series => ({
  [`hub_endpoint_latest_block_height{${own}}`]: 1_000_500,
  [`${lowest}{${own}}`]: 1_000_300,
  [`hub_endpoint_required_blocks{${own},kind="${kind}"}`]: 400,
});

/** Test cases for alerts about endpoints. */
export const endpointCases: readonly RuleCase[] = [
  {
    alert: 'HubAllEndpointsDown',
    about: 'a websocket says nothing',
    fires: {
      'hub_endpoint_up{endpoint="own",transport="rpc"}': 0,
      'hub_endpoint_up{endpoint="spare",transport="grpc"}': 0,
      'hub_endpoint_up{endpoint="spare",transport="websocket"}': 1,
    },
    quiet: { 'hub_endpoint_up{endpoint="spare",transport="grpc"}': 1 },
  },
  {
    alert: 'HubOwnNodeDown',
    fires: {
      ...configured,
      [`hub_endpoint_up{${own},transport="rpc"}`]: '1x10 0x20',
      [`hub_endpoint_up{${own},transport="grpc"}`]: '1x10 0x20',
    },
    quiet: { [`hub_endpoint_up{${own},transport="grpc"}`]: 1 },
    labels,
    atMinutes: 14,
  },
  {
    alert: 'HubOwnNodeDown',
    about: 'not for a reference',
    fires: { ...configured, [`hub_endpoint_up{${own},transport="rpc"}`]: 0 },
    quiet: {
      ...reference,
      [`hub_endpoint_config_info{${own},role="reference",network="m"}`]: 1,
    },
    labels,
  },
  {
    alert: 'HubEndpointDown',
    fires: {
      [`hub_endpoint_config_info{${own},role="archive",network="m"}`]: 1,
      [`hub_endpoint_up{${own},transport="rpc"}`]: 1,
      [`hub_endpoint_up{${own},transport="websocket"}`]: 0,
    },
    quiet: { [`hub_endpoint_up{${own},transport="websocket"}`]: 1 },
    labels,
  },
  verdictCase('HubChainIdChanged', 'wrong_chain'),
  verdictCase('HubConsensusMismatch', 'forked'),
  verdictCase('HubConsensusMismatch', 'disputed'),
  ofOwnVerdict('HubHeightStalled', 'stuck'),
  ofOwnVerdict('HubHeightStalled', 'frozen'),
  ofOwnVerdict('HubHeightStalled', 'upgrade'),
  {
    alert: 'HubStateBehindBlocks',
    fires: {
      ...configured,
      [`hub_endpoint_latest_block_height{${own}}`]: 200,
      [`hub_endpoint_state_height{${own},transport="grpc"}`]: 100,
      [`hub_endpoint_state_height{${own},transport="rest"}`]: 199,
    },
    quiet: { [`hub_endpoint_state_height{${own},transport="grpc"}`]: 190 },
    labels,
    value: 100,
  },
  {
    alert: 'HubAppVersionsDiffer',
    fires: {
      'hub_app_info{endpoint="own",name="hub",version="12.0.2",stack_version="1"}': 1,
      'hub_app_info{endpoint="ref",name="Hub",version="12.0.1",stack_version=""}': 1,
    },
    quiet: {
      'hub_app_info{endpoint="ref",name="Hub",version="12.0.1",stack_version=""}': '_x500',
      'hub_app_info{endpoint="ref",name="Hub",version="v12.0.2",stack_version=""}': 1,
    },
    value: 2,
  },
  {
    alert: 'HubAppVersionsDiffer',
    about: 'an endpoint of another chain does not count',
    fires: {
      'hub_app_info{endpoint="own",name="hub",version="12.0.2",stack_version="1"}': 1,
      'hub_app_info{endpoint="ref",name="hub",version="12.0.1",stack_version="1"}': 1,
    },
    quiet: { 'hub_endpoint_verdict{endpoint="ref",verdict="wrong_chain"}': 1 },
    value: 2,
  },
  {
    alert: 'HubAppVersionChanged',
    fires: { [`hub_app_version_changes_total{${own}}`]: '2x5 3x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { [`hub_app_version_changes_total{${own}}`]: 2 },
    labels,
    atMinutes: 10,
  },
  {
    alert: 'HubUnsafeRpcExposed',
    fires: { ...configured, [`hub_endpoint_unsafe_rpc_exposed{${own}}`]: 1 },
    quiet: { [`hub_endpoint_unsafe_rpc_exposed{${own}}`]: 0 },
    labels,
  },
  {
    alert: 'HubClockSkew',
    fires: { ...configured, [`hub_endpoint_clock_skew_seconds{${own}}`]: -5 },
    quiet: { [`hub_endpoint_clock_skew_seconds{${own}}`]: 3 },
    labels,
    value: 5,
  },
  {
    alert: 'HubTxIndexOff',
    fires: {
      [`hub_endpoint_capability{${own},capability="tx_index"}`]: 0,
      [`hub_endpoint_required_blocks{${own},kind="tx"}`]: 14_400,
    },
    quiet: { [`hub_endpoint_required_blocks{${own},kind="tx"}`]: '_x500' },
    labels: { ...labels, capability: 'tx_index' },
  },
  {
    alert: 'HubTlsCertificateExpiring',
    fires: {
      ...configured,
      [`hub_endpoint_tls_not_after_timestamp_seconds{${own},transport="rpc"}`]: 13 * 86_400,
      [`hub_endpoint_tls_not_after_timestamp_seconds{${own},transport="grpc"}`]: 90 * 86_400,
    },
    quiet: { [`hub_endpoint_tls_not_after_timestamp_seconds{${own},transport="rpc"}`]: 15 * 86_400 },
    labels,
    value: 13 * 86_400 - 120,
  },
  {
    alert: 'HubTlsCertificateExpiryImminent',
    fires: { ...configured, [`hub_endpoint_tls_not_after_timestamp_seconds{${own},transport="rpc"}`]: 2 * 86_400 },
    quiet: { [`hub_endpoint_tls_not_after_timestamp_seconds{${own},transport="rpc"}`]: 4 * 86_400 },
    labels,
    value: 2 * 86_400 - 120,
  },
  {
    alert: 'HubBlockRetentionShort',
    fires: bound('block', 'hub_endpoint_earliest_block_height'),
    quiet: { [`hub_endpoint_earliest_block_height{${own}}`]: 1_000_100 },
    labels,
    value: 200,
  },
  {
    alert: 'HubTxRetentionShort',
    fires: bound('tx', 'hub_endpoint_earliest_indexed_height'),
    quiet: { [`hub_endpoint_earliest_indexed_height{${own}}`]: 901_801 },
    labels,
    value: 200,
  },
  {
    alert: 'HubBlockLost',
    fires: {
      [`hub_endpoint_earliest_block_height{${own}}`]: 950_000,
      [`hub_endpoint_required_earliest_height{${own},kind="block"}`]: 901_801,
    },
    quiet: { [`hub_endpoint_earliest_block_height{${own}}`]: 901_801 },
    labels,
  },
  {
    alert: 'HubBlockLost',
    about: 'within a day',
    fires: { [`hub_endpoint_required_height_loss_timestamp_seconds{${own},kind="block",transport="rpc"}`]: 80_000 },
    quiet: { [`hub_endpoint_required_height_loss_timestamp_seconds{${own},kind="block",transport="rpc"}`]: 90_000 },
    labels,
  },
  {
    alert: 'HubArchiveLost',
    about: 'not while the bound is searched for',
    fires: {
      [`hub_endpoint_earliest_state_height{${own},transport="grpc"}`]: 950_000,
      [`hub_endpoint_state_probe_timestamp_seconds{${own},transport="grpc"}`]: 1,
      [`hub_endpoint_required_earliest_height{${own},kind="state"}`]: 901_801,
    },
    quiet: { [`hub_endpoint_state_probe_timestamp_seconds{${own},transport="grpc"}`]: '_x500' },
    labels,
  },
  {
    alert: 'HubArchiveLost',
    about: 'within a day',
    fires: { [`hub_endpoint_required_height_loss_timestamp_seconds{${own},kind="state",transport="rest"}`]: 80_000 },
    quiet: { [`hub_endpoint_required_height_loss_timestamp_seconds{${own},kind="state",transport="rest"}`]: 90_000 },
    labels,
  },
  {
    alert: 'HubStatePruned',
    fires: {
      [`hub_endpoint_state_available{${own},transport="grpc",depth="100"}`]: 1,
      [`hub_endpoint_state_available{${own},transport="grpc",depth="50000"}`]: 0,
    },
    quiet: { [`hub_endpoint_state_available{${own},transport="grpc",depth="50000"}`]: 1 },
    labels,
  },
  {
    alert: 'HubStateRetentionShort',
    fires: {
      [`hub_endpoint_state_height{${own},transport="grpc"}`]: 100,
      [`hub_endpoint_earliest_state_height{${own},transport="grpc"}`]: 90,
      [`hub_endpoint_state_probe_timestamp_seconds{${own},transport="grpc"}`]: 1,
      [`hub_endpoint_required_blocks{${own},kind="state"}`]: 50,
    },
    quiet: { [`hub_endpoint_earliest_state_height{${own},transport="grpc"}`]: 50 },
    labels,
    value: 10,
  },
  {
    alert: 'HubEndpointLagging',
    fires: { [`hub_endpoint_latest_block_height{${own}}`]: 200, hub_head_height: 250 },
    quiet: { [`hub_endpoint_latest_block_height{${own}}`]: 230 },
    labels,
    value: 50,
  },
  {
    alert: 'HubEndpointLaggingFar',
    fires: { ...configured, [`hub_endpoint_latest_block_height{${own}}`]: 200, hub_head_height: 550 },
    quiet: { [`hub_endpoint_latest_block_height{${own}}`]: 250 },
    labels,
    value: 350,
  },
  {
    alert: 'HubEndpointCatchingUp',
    fires: { [`hub_endpoint_catching_up{${own}}`]: 1 },
    quiet: { [`hub_endpoint_catching_up{${own}}`]: 0 },
    labels,
  },
  {
    alert: 'HubEndpointNoPeers',
    fires: {
      ...configured,
      [`hub_endpoint_peers{${own},direction="inbound"}`]: 0,
      [`hub_endpoint_peers{${own},direction="outbound"}`]: 0,
    },
    quiet: { [`hub_endpoint_peers{${own},direction="outbound"}`]: 1 },
    labels,
  },
  {
    alert: 'HubEndpointPeersLow',
    fires: {
      ...configured,
      [`hub_endpoint_peers{${own},direction="inbound"}`]: 1,
      [`hub_endpoint_peers{${own},direction="outbound"}`]: 1,
    },
    quiet: { [`hub_endpoint_peers{${own},direction="outbound"}`]: 2 },
    labels,
    value: 2,
  },
  {
    alert: 'HubMempoolBacklog',
    fires: { [`hub_endpoint_mempool_transactions{${own}}`]: 101 },
    quiet: { [`hub_endpoint_mempool_transactions{${own}}`]: 100 },
    labels,
    value: 101,
  },
];

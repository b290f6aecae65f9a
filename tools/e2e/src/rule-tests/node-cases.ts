import type { RuleCase, Series } from './rule-case.js';

const five = 'node="five"';
const labels = { node: 'five' };

/** A node with its last heartbeat at 0 and a usual interval of 55 minutes within a timeout of 60. */
const habit: Series = {
  [`hub_node_status{${five},status="active"}`]: 1,
  [`hub_node_status{${five},status="inactive"}`]: 0,
  [`hub_node_status_timestamp_seconds{${five}}`]: 0,
  [`hub_node_inactive_timestamp_seconds{${five}}`]: 3_600,
  [`hub_node_heartbeat_interval_seconds{${five}}`]: 3_300,
};

const inactive = (node: string, at: number): Series => ({
  [`hub_node_status{node="${node}",status="active"}`]: 0,
  [`hub_node_status_timestamp_seconds{node="${node}"}`]: at,
});

const sessions = (active: number, stale: number, lapsed: number): Series => ({
  [`hub_node_sessions{${five},status="active"}`]: active,
  [`hub_node_sessions_stale{${five}}`]: stale,
  [`hub_node_sessions_lapsed{${five}}`]: lapsed,
});

const changed = (alert: string, metric: string): readonly RuleCase[] => [
  {
    alert,
    fires: { [`${metric}{${five}}`]: '3x5 4x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { [`${metric}{${five}}`]: 3 },
    labels,
    atMinutes: 10,
  },
  {
    alert,
    about: 'over after its time',
    fires: { [`${metric}{${five}}`]: '3x29 4x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { [`${metric}{${five}}`]: '3x5 4x30' },
    labels,
    atMinutes: 32,
  },
];

/** Test cases for alerts about watched nodes. */
export const nodeCases: readonly RuleCase[] = [
  {
    alert: 'HubNodeHeartbeatLate',
    about: 'the last minutes have begun',
    fires: { ...habit, hub_head_timestamp_seconds: 3_361 },
    quiet: { hub_head_timestamp_seconds: 3_360 },
    labels,
    value: 239,
  },
  {
    alert: 'HubNodeHeartbeatLate',
    about: '40 % of the slack is used',
    fires: { ...habit, [`hub_node_heartbeat_interval_seconds{${five}}`]: 1_800, hub_head_timestamp_seconds: 2_521 },
    quiet: { hub_head_timestamp_seconds: 2_520 },
    labels,
    value: 1_079,
  },
  {
    alert: 'HubNodeHeartbeatLate',
    about: 'little slack, and the usual time has passed by 30 s',
    fires: { ...habit, [`hub_node_heartbeat_interval_seconds{${five}}`]: 3_500, hub_head_timestamp_seconds: 3_531 },
    quiet: { hub_head_timestamp_seconds: 3_530 },
    labels,
    value: 69,
  },
  {
    alert: 'HubNodeHeartbeatLate',
    about: 'not of an inactive node',
    fires: { ...habit, hub_head_timestamp_seconds: 3_500 },
    quiet: { [`hub_node_status{${five},status="active"}`]: 0 },
    labels,
    value: 100,
  },
  {
    alert: 'HubNodeInactive',
    fires: inactive('five', 86_400),
    quiet: { [`hub_node_status{${five},status="active"}`]: 1 },
    labels: { ...labels, since: '86400' },
  },
  {
    alert: 'HubNodesLapsed',
    fires: { ...inactive('five', 60), ...inactive('six', 60), ...inactive('seven', 60), ...inactive('eight', 90) },
    quiet: inactive('seven', 120),
    labels: { since: '60' },
    value: 3,
  },
  {
    alert: 'HubNodeUnregistered',
    fires: { [`hub_node_registered{${five}}`]: 0 },
    quiet: { [`hub_node_registered{${five}}`]: 1 },
    labels,
  },
  {
    alert: 'HubNodeUnreachable',
    fires: {
      [`hub_node_reachable{${five},address_index="0"}`]: 0,
      [`hub_node_reachable{${five},address_index="1"}`]: 0,
    },
    quiet: { [`hub_node_reachable{${five},address_index="1"}`]: 1 },
    labels,
  },
  {
    alert: 'HubNodeIdentityMismatch',
    fires: { [`hub_node_identity_matches{${five},address_index="0"}`]: 0 },
    quiet: { [`hub_node_identity_matches{${five},address_index="0"}`]: 1 },
    labels,
  },
  {
    alert: 'HubNodeStatusFlapping',
    fires: { [`hub_node_status{${five},status="active"}`]: '1 0 1 0 1 0x60' },
    quiet: { [`hub_node_status{${five},status="active"}`]: '1 0 1 0 1x60' },
    labels,
    atMinutes: 30,
    value: 5,
  },
  ...changed('HubNodePriceChanged', 'hub_node_price_changes_total'),
  ...changed('HubNodeAddressChanged', 'hub_node_address_changes_total'),
  { alert: 'HubNodeSessionsStale', fires: sessions(1, 1, 1), quiet: sessions(2, 1, 1), labels },
  {
    alert: 'HubNodeSessionsOverdue',
    fires: { [`hub_node_sessions_overdue{${five}}`]: 2 },
    quiet: { [`hub_node_sessions_overdue{${five}}`]: 0 },
    labels,
    value: 2,
  },
  {
    alert: 'HubNodeNoSessions',
    about: 'for six hours, when a day of it is known',
    fires: { [`hub_node_sessions{${five},status="active"}`]: '5x47 0x20' },
    quiet: { [`hub_node_sessions{${five},status="active"}`]: '1x47 0x20' },
    labels,
    atMinutes: 1_830,
    everyMinutes: 30,
  },
  {
    alert: 'HubNodeLeaseEnded',
    fires: {
      [`hub_node_leases_ended_total{${five},reason="cancelled"}`]: '1x5 2x30',
      hubwatch_rule_evaluations_total: 1,
    },
    quiet: { [`hub_node_leases_ended_total{${five},reason="cancelled"}`]: 1 },
    labels: { ...labels, reason: 'cancelled' },
    atMinutes: 8,
  },
  {
    alert: 'HubNodeLeaseEnded',
    about: 'the first end of its kind, where the daemon was there before',
    fires: {
      [`hub_node_leases_ended_total{${five},reason="cancelled"}`]: '_x19 1x30',
      hubwatch_rule_evaluations_total: 1,
    },
    quiet: { hubwatch_rule_evaluations_total: '_x19 1x30' },
    labels: { ...labels, reason: 'cancelled' },
    atMinutes: 25,
  },
  {
    alert: 'HubNodeNotRead',
    fires: { [`hub_node_config_info{${five},alias="f"}`]: 1 },
    quiet: { [`hub_node_registered{${five}}`]: 0 },
    labels: { ...labels, alias: 'f' },
  },
];

import type { RuleCase, Series } from './rule-case.js';

const running: Series = { 'hubwatch_build_info{version="1",revision="r",node_version="v20"}': 1, up: 1 };
const gone = (minutes: number): string => `1x${minutes} stale _x500`;
const build = 'hubwatch_build_info{version="1",revision="r",node_version="v20"}';

/** Test cases for alerts about the daemon itself. */
export const daemonCases: readonly RuleCase[] = [
  {
    alert: 'HubwatchDown',
    fires: { [build]: gone(10), up: '1x10 0x500' },
    quiet: { up: 1, [build]: 1 },
    atMinutes: 75,
  },
  {
    alert: 'HubwatchDown',
    about: 'not of other targets that are down',
    fires: { [build]: gone(10), up: '1x10 0x500' },
    quiet: { [build]: '_x500' },
    atMinutes: 15,
  },
  { alert: 'HubwatchMetricsAbsent', fires: { [build]: gone(10), up: 1 }, quiet: { [build]: 1 }, atMinutes: 20 },
  {
    alert: 'HubwatchTargetGone',
    fires: { [build]: gone(10), up: gone(10) },
    quiet: { up: '1x10 0x500' },
    atMinutes: 30,
  },
  {
    alert: 'HubwatchTargetGone',
    about: 'forgotten after an hour',
    fires: { [build]: gone(10), up: gone(10) },
    quiet: { [build]: gone(1), up: gone(1) },
    atMinutes: 65,
  },
  { alert: 'HubwatchAbsent', fires: { up: 1 }, quiet: running },
  { alert: 'HubwatchWatchdog', fires: running, quiet: {} },
  {
    alert: 'HubwatchStoreFailing',
    fires: { hubwatch_store_healthy: 0 },
    quiet: { hubwatch_store_healthy: 1 },
  },
  {
    alert: 'HubwatchStoreRebuilt',
    fires: { 'hubwatch_store_rebuilds_total{reason="damaged"}': '_x69 1x50', hubwatch_rule_evaluations_total: 1 },
    quiet: { 'hubwatch_store_rebuilds_total{reason="damaged"}': '_x500' },
    labels: { reason: 'damaged' },
    atMinutes: 78,
  },
  {
    alert: 'HubwatchSweepStale',
    fires: { 'hubwatch_sweep_last_complete_timestamp_seconds{collection="nodes"}': -3_600 },
    quiet: { 'hubwatch_sweep_last_complete_timestamp_seconds{collection="nodes"}': 0 },
    labels: { collection: 'nodes' },
    value: 4_020,
  },
  {
    alert: 'HubwatchStarved',
    fires: {
      'hubwatch_starved_rounds_total{exported_job="nodes"}': '1x8 2x30',
      'hubwatch_starved_rounds_total{exported_job="leases"}': 1,
      hubwatch_rule_evaluations_total: 1,
    },
    quiet: { 'hubwatch_starved_rounds_total{exported_job="nodes"}': 1 },
    atMinutes: 10,
  },
  {
    alert: 'HubwatchPollFailing',
    fires: {
      'hubwatch_poll_last_success_timestamp_seconds{exported_job="nodes"}': 0,
      'hubwatch_poll_interval_seconds{exported_job="nodes"}': 30,
    },
    quiet: { 'hubwatch_poll_interval_seconds{exported_job="nodes"}': 600 },
    labels: { exported_job: 'nodes' },
    value: 360,
    atMinutes: 6,
  },
  {
    alert: 'HubwatchNotificationsDelayed',
    fires: { 'hubwatch_notification_oldest_pending_timestamp_seconds{channel="email"}': -600 },
    quiet: { 'hubwatch_notification_oldest_pending_timestamp_seconds{channel="email"}': 0 },
    labels: { channel: 'email' },
    value: 1_020,
  },
  {
    alert: 'HubwatchNotificationsDead',
    fires: { 'hubwatch_notifications_dead_total{channel="email"}': '1x5 2x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { 'hubwatch_notifications_dead_total{channel="email"}': 1 },
    labels: { channel: 'email' },
    atMinutes: 10,
  },
  {
    alert: 'HubwatchWebsocketSilent',
    fires: {
      'hubwatch_websocket_last_message_timestamp_seconds{endpoint="own"}': 0,
      hub_head_timestamp_seconds: '0+60x30',
    },
    quiet: { hub_head_timestamp_seconds: 0 },
    labels: { endpoint: 'own' },
    value: 360,
    atMinutes: 6,
  },
  {
    alert: 'HubwatchEventsBehind',
    fires: { hubwatch_unprocessed_blocks: 51 },
    quiet: { hubwatch_unprocessed_blocks: 50 },
    value: 51,
  },
  {
    alert: 'HubwatchSeriesDropped',
    fires: { 'hubwatch_series_dropped_total{reason="limit"}': '0+5x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { 'hubwatch_series_dropped_total{reason="limit"}': 5 },
    labels: { reason: 'limit' },
    atMinutes: 15,
  },
  {
    alert: 'HubwatchConfigReloadFailed',
    fires: { hubwatch_config_last_reload_successful: 0 },
    quiet: { hubwatch_config_last_reload_successful: 1 },
    value: 0,
    atMinutes: 10,
  },
  {
    alert: 'HubwatchLoopBlocked',
    about: 'not of other programs',
    fires: { ...running, nodejs_eventloop_lag_p99_seconds: 0.75 },
    quiet: { [build]: '_x500' },
    value: 0.75,
    atMinutes: 10,
  },
  {
    alert: 'HubwatchMemoryGrowth',
    about: 'not of other programs',
    fires: { ...running, process_resident_memory_bytes: 400_000_000 },
    quiet: { [build]: '_x500' },
    value: 400_000_000,
    atMinutes: 70,
  },
  {
    alert: 'HubwatchRestarting',
    fires: { ...running, process_start_time_seconds: '1 2 3 4 5x60' },
    quiet: { process_start_time_seconds: '1 2 3 4x60' },
    value: 4,
    atMinutes: 10,
  },
];

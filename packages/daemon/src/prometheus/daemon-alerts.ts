import { hasBegunOrIncreased, seconds } from '../checks/prometheus.js';
import type { PrometheusAlert } from './alert.js';

const minute = 60_000;
const hour = 3_600_000;

const identity = 'version, revision, node_version';
const isThere = `max without (${identity}) (hubwatch_build_info)`;

const seenInHour = 'instance:hubwatch_build_info:max1h';
const seenInDay = 'instance:hubwatch_build_info:max1d';

/** Daemons scraped within the last hour and day, regardless of job name. Alerts use them to detect a daemon that is gone. */
export const daemonRecordings = {
  [seenInHour]: `max without (${identity}) (max_over_time(hubwatch_build_info[1h]))`,
  [seenInDay]: `max without (${identity}) (max_over_time(hubwatch_build_info[1d]))`,
} as const;

/** Alerts about the daemon itself that it cannot raise, or cannot raise reliably. */
export const daemonAlerts: readonly PrometheusAlert[] = [
  {
    name: 'HubwatchDown',
    severity: 'critical',
    forMs: 2 * minute,
    expr: `up == 0 and ${seenInDay}`,
    labels: [],
    summary: '{{ $labels.instance }}: the daemon does not respond',
    description:
      'It may be down; then nothing is monitored. Check `systemctl status hubwatch` and its log, then the connection from Prometheus to it.',
  },
  {
    name: 'HubwatchMetricsAbsent',
    severity: 'critical',
    forMs: 5 * minute,
    expr: `up == 1 and ${seenInDay} unless ${isThere}`,
    labels: [],
    summary: '{{ $labels.instance }}: the response lacks the metrics of the daemon',
    description:
      'Alerts on these metrics cannot fire. Another program may use the address, or the page is incomplete: check `hubwatch_scrape_errors_total`.',
  },
  {
    name: 'HubwatchTargetGone',
    severity: 'warning',
    forMs: 10 * minute,
    expr: `${seenInHour} unless up`,
    labels: [],
    summary: '{{ $labels.instance }}: is no longer a target of Prometheus',
    description:
      'Prometheus no longer evaluates alerts for this daemon. If you did not remove it on purpose, check the scrape configuration. This alert ends an hour after the last scrape.',
  },
  {
    name: 'HubwatchAbsent',
    severity: 'critical',
    forMs: 5 * minute,
    inhibitedBy: [{ rule: 'HubwatchDown' }],
    isGlobal: true,
    expr: 'absent(hubwatch_build_info)',
    labels: [],
    summary: 'Prometheus receives no metrics from any daemon',
    description: 'Nothing is monitored. Check the scrape configuration and the daemons.',
  },
  {
    name: 'HubwatchWatchdog',
    severity: 'none',
    forMs: 0,
    isGlobal: true,
    expr: 'vector(1)',
    labels: [],
    summary: 'Alerts are delivered to their receivers',
    description:
      'This alert always fires. Route it to a service that warns when it stops arriving, because then Prometheus or Alertmanager is down.',
  },
  {
    name: 'HubwatchPollFailing',
    severity: 'warning',
    forMs: 2 * minute,
    inhibitedBy: [{ rule: 'HubAllEndpointsDown' }],
    expr: 'time() - hubwatch_poll_last_success_timestamp_seconds > 5 * hubwatch_poll_interval_seconds',
    labels: ['exported_job'],
    summary: '{{ $labels.exported_job }}: the last complete poll was {{ $value | humanizeDuration }} ago',
    description:
      'Alerts that depend on this job can neither fire nor resolve. `hubwatch_poll_failures_total` shows the reasons.',
  },
  {
    name: 'HubwatchNotificationsDelayed',
    severity: 'critical',
    forMs: 5 * minute,
    expr: `time() - hubwatch_notification_oldest_pending_timestamp_seconds > ${seconds(10 * minute)}`,
    labels: ['channel'],
    summary: '{{ $labels.channel }}: a notice has been undelivered for {{ $value | humanizeDuration }}',
    description:
      'Recipients do not get notices from the daemon. `hubwatch_notification_failures_total` shows the reason; docs/alerts.md lists the remedies.',
  },
  {
    name: 'HubwatchNotificationsDead',
    severity: 'critical',
    forMs: 0,
    expr: hasBegunOrIncreased('hubwatch_notifications_dead_total', ['channel'], hour),
    labels: ['channel'],
    summary: '{{ $labels.channel }}: the daemon gave up on undelivered notices',
    description:
      'They could not be delivered within `alerts.give_up_after`, so recipients will never get them. The log lists them. Check the channel and its recipients.',
  },
  {
    name: 'HubwatchWebsocketSilent',
    severity: 'warning',
    forMs: 2 * minute,
    expr: `time() - hubwatch_websocket_last_message_timestamp_seconds > ${seconds(minute)}
      and ignoring (endpoint) (time() - hub_head_timestamp_seconds < 30)`,
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the websocket has delivered no event for {{ $value | humanizeDuration }}',
    description:
      'The chain produces blocks, but the endpoint does not announce them. The daemon polls for new blocks instead, so it reports events some seconds later. If this continues, check the endpoint and any proxy.',
  },
  {
    name: 'HubwatchEventsBehind',
    severity: 'warning',
    forMs: 5 * minute,
    inhibitedBy: [{ rule: 'HubAllEndpointsDown' }],
    expr: 'hubwatch_unprocessed_blocks > 50',
    labels: [],
    summary: 'The ledger is {{ $value | printf "%.0f" }} blocks behind',
    description: 'Payments and lease ends are reported late. After an outage the ledger catches up automatically.',
  },
  {
    name: 'HubwatchSeriesDropped',
    severity: 'warning',
    forMs: 5 * minute,
    expr: hasBegunOrIncreased('hubwatch_series_dropped_total', ['reason'], 10 * minute),
    labels: ['reason'],
    summary: 'The metrics page is incomplete: series were dropped',
    description: 'Alerts on the dropped series cannot fire. Watch fewer subjects with this daemon.',
  },
  {
    name: 'HubwatchLoopBlocked',
    severity: 'warning',
    forMs: 5 * minute,
    expr: `nodejs_eventloop_lag_p99_seconds > 0.5 and ${seenInHour}`,
    labels: [],
    summary: 'The event loop of the daemon stalls for {{ $value | humanizeDuration }}',
    description: 'Polls and notices are delayed. Check the load of its machine.',
  },
  {
    name: 'HubwatchMemoryGrowth',
    severity: 'warning',
    forMs: hour,
    expr: `process_resident_memory_bytes > 300e6 and ${seenInHour}`,
    labels: [],
    summary: 'The daemon uses {{ $value | humanize1024 }}B of memory',
    description:
      'It usually needs less than half of that. Report this as a bug, and restart the daemon if memory runs short.',
  },
  {
    name: 'HubwatchConfigReloadFailed',
    severity: 'warning',
    forMs: 5 * minute,
    expr: 'hubwatch_config_last_reload_successful == 0',
    labels: [],
    summary: 'The last reload of the configuration failed',
    description:
      'The previous configuration stays in use. The log shows the reason, for example the invalid lines. Fix it and reload again.',
  },
  {
    name: 'HubwatchRestarting',
    severity: 'warning',
    forMs: 0,
    expr: `changes(process_start_time_seconds[30m]) > 3 and ${seenInHour}`,
    labels: [],
    summary: 'The daemon restarted {{ $value | printf "%.0f" }} times within half an hour',
    description: 'State that exists only in memory is lost with each restart. The log shows why the daemon stops.',
  },
];

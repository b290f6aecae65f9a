import { createHash } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { jsonText } from './json-text.js';
import type { KeptStoreMeter } from './store/kept-store.js';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const longSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
const blockSeconds = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 30, 60, 180, 600];
const delays = [0.1, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 300, 3_600, 21_600];

/** What the daemon says about itself. Made first, because every stage counts into it. */
export const createOwnMetrics = () => {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: number[] = seconds,
  ) => new Histogram<L>({ name, help, labelNames, buckets, registers });

  return {
    registry,
    buildInfo: gauge('hubwatch_build_info', 'Version of this daemon and of its Node', [
      'version',
      'revision',
      'node_version',
    ]),
    configInfo: gauge('hubwatch_config_info', 'Hash of the configuration in use', ['hash']),

    polls: counter('hubwatch_polls_total', 'Attempts to collect, one per target', ['job']),
    pollFailures: counter('hubwatch_poll_failures_total', 'Attempts that brought no reading', ['job', 'reason']),
    blockInterval: histogram(
      'hub_block_interval_seconds',
      'Time between successive blocks of the agreed head, by their block times; where several came between two looks, their mean for each',
      [],
      blockSeconds,
    ),

    pollRequests: counter(
      'hubwatch_poll_requests_total',
      'Requests sent to endpoints by the job that needed them: which one asks how much',
      ['job'],
    ),
    pollsSkipped: counter('hubwatch_polls_skipped_total', 'Rounds left out', ['job', 'reason']),
    starvedRounds: counter(
      'hubwatch_starved_rounds_total',
      'Rounds that came so late for reasons of this machine that nothing was judged by them',
      ['job'],
    ),
    pollDuration: histogram('hubwatch_poll_duration_seconds', 'Time of one round over all targets', ['job']),
    pollLastSuccess: gauge(
      'hubwatch_poll_last_success_timestamp_seconds',
      'When the job last read every one of its targets',
      ['job'],
    ),
    pollInterval: gauge('hubwatch_poll_interval_seconds', 'Configured time between rounds', ['job']),

    sweepDuration: histogram(
      'hubwatch_sweep_duration_seconds',
      'Time of one read of a whole list',
      ['collection'],
      longSeconds,
    ),
    sweepRecords: gauge('hubwatch_sweep_records', 'Records of the last whole read', ['collection']),
    sweepPages: counter('hubwatch_sweep_pages_total', 'Pages read of whole lists', ['collection']),
    sweepRestarts: counter(
      'hubwatch_sweep_restarts_total',
      'Reads of whole lists thrown away, by reason: height_pruned, endpoint_lost',
      ['collection', 'reason'],
    ),
    sweepHeight: gauge('hubwatch_sweep_height', 'Height that the last whole read is of', ['collection']),
    sweepLastComplete: gauge(
      'hubwatch_sweep_last_complete_timestamp_seconds',
      'When the list was last read whole: the age of what is counted of it; survives restarts',
      ['collection'],
    ),
    sweepPause: counter(
      'hubwatch_sweep_pause_seconds_total',
      'Time that reads of whole lists waited for an endpoint that suffered',
      ['endpoint'],
    ),

    requests: counter('hubwatch_requests_total', 'Requests sent to endpoints', ['endpoint', 'transport']),
    requestFailures: counter('hubwatch_request_failures_total', 'Requests that failed', [
      'endpoint',
      'transport',
      'reason',
    ]),
    requestDuration: histogram('hubwatch_request_duration_seconds', 'Time until an answer or a failure', [
      'endpoint',
      'transport',
    ]),
    endpointSelected: gauge('hubwatch_endpoint_selected', '1 for the endpoint whose answers are used', [
      'endpoint',
      'transport',
    ]),
    failovers: counter('hubwatch_failovers_total', 'Changes of the endpoint in use', ['transport']),
    regressions: counter(
      'hubwatch_endpoint_regressions_total',
      'Answers set aside because an answer of a greater height was seen before',
      ['endpoint', 'transport'],
    ),
    websocketConnected: gauge(
      'hubwatch_websocket_connected',
      '1 while the websocket is open and its subscription acknowledged',
      ['endpoint'],
    ),
    websocketReconnects: counter(
      'hubwatch_websocket_reconnects_total',
      'Connections that ended or did not come about',
      ['endpoint', 'reason'],
    ),
    websocketEvents: counter('hubwatch_websocket_events_total', 'Events that came over the websocket', [
      'endpoint',
      'type',
    ]),
    websocketDropped: counter(
      'hubwatch_websocket_events_dropped_total',
      'Events that were not used; what is kept is read by height, so that nothing is lost with them',
      ['endpoint', 'reason'],
    ),
    websocketLastMessage: gauge(
      'hubwatch_websocket_last_message_timestamp_seconds',
      'When the last event came over the websocket',
      ['endpoint'],
    ),
    backfilledBlocks: counter('hubwatch_backfilled_blocks_total', 'Blocks of the past that were read later', [
      'reason',
    ]),
    unprocessedBlocks: gauge(
      'hubwatch_unprocessed_blocks',
      'Agreed head minus the last height whose events are stored',
    ),

    ruleEvaluations: counter('hubwatch_rule_evaluations_total', 'Rounds of rule evaluation'),
    ruleFailures: counter('hubwatch_rule_evaluation_failures_total', 'Evaluations that threw', ['alertname']),
    ruleDuration: histogram(
      'hubwatch_rule_evaluation_duration_seconds',
      'Time for which a round from observations to alerts held the event loop; a large one is done in several pieces',
      [],
      [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1],
    ),
    alerts: gauge('hubwatch_alerts', 'Alerts by state', ['alertname', 'state', 'severity']),
    alertTransitions: counter('hubwatch_alert_transitions_total', 'Changes of state', ['alertname', 'to']),

    notifications: counter('hubwatch_notifications_total', 'Delivery attempts, one for each recipient', ['channel']),
    notificationFailures: counter('hubwatch_notification_failures_total', 'Attempts that failed', [
      'channel',
      'reason',
    ]),
    notificationsSuppressed: counter('hubwatch_notifications_suppressed_total', 'Notices not sent on purpose', [
      'reason',
    ]),
    notificationsDead: counter('hubwatch_notifications_dead_total', 'Notices given up, one for each recipient', [
      'channel',
    ]),
    notificationQueue: gauge(
      'hubwatch_notification_queue_entries',
      'Notices not yet accepted, one for each recipient',
      ['channel'],
    ),
    notificationOldest: gauge(
      'hubwatch_notification_oldest_pending_timestamp_seconds',
      'When the oldest notice not yet accepted was written; absent when there is none',
      ['channel'],
    ),
    channelFailing: gauge(
      'hubwatch_notification_channel_failing',
      '1 while the channel, or one of its recipients, takes nothing; the reason is on the status page and in the log',
      ['channel'],
    ),
    notificationDuration: histogram('hubwatch_notification_duration_seconds', 'Time of one attempt', ['channel']),
    notificationDelay: histogram(
      'hubwatch_notification_delay_seconds',
      'From the change of state to acceptance by the channel',
      ['channel'],
      delays,
    ),

    alivePings: counter('hubwatch_alive_pings_total', 'Signs of life that were accepted'),
    alivePingsWithheld: counter('hubwatch_alive_pings_withheld_total', 'Signs of life not given', ['reason']),
    silences: gauge('hubwatch_silences', 'Silences that are not over', ['state']),
    storeBytes: gauge('hubwatch_store_bytes', 'Size of the store on disk'),
    storeRows: gauge('hubwatch_store_rows', 'Rows of each table of the store, counted every hour', ['table']),
    storeCommit: histogram('hubwatch_store_commit_duration_seconds', 'Time of one durable commit'),
    storeFailures: counter('hubwatch_store_failures_total', 'Operations on the store that failed', ['operation']),
    storeHealthy: gauge(
      'hubwatch_store_healthy',
      '1 while the store takes writes, 0 while the daemon works from memory; the reason is on the status page and in the log',
    ),
    storeLongestWait: gauge(
      'hubwatch_store_longest_wait_seconds',
      'Longest single call of the store since the start: the event loop stood still meanwhile',
    ),
    storeRebuilds: counter(
      'hubwatch_store_rebuilds_total',
      'Times that a new store was written, by reason: damaged, gone',
      ['reason'],
    ),
    scrapeErrors: counter(
      'hubwatch_scrape_errors_total',
      'Parts of a page of metrics that failed and were left out of it',
      ['part'],
    ),

    series: gauge('hubwatch_series', 'Chain series exported now', ['family']),
    seriesLimit: gauge('hubwatch_series_limit', 'Most chain series that are exported'),
    seriesDropped: counter('hubwatch_series_dropped_total', 'Series left out of a page', ['reason']),
    httpRequests: counter('hubwatch_http_requests_total', 'Requests to the daemon', ['handler', 'code']),
    httpDuration: histogram('hubwatch_http_request_duration_seconds', 'Time to answer a request', ['handler']),
  };
};

export type OwnMetrics = ReturnType<typeof createOwnMetrics>;

/** Sets what does not change while the daemon runs, and adds the usual process and runtime metrics. */
export const describeSelf = (
  own: OwnMetrics,
  program: { readonly version: string; readonly revision: string },
  config: unknown,
): void => {
  const hash = createHash('sha256').update(jsonText(config)).digest('hex').slice(0, 16);
  own.buildInfo.set({ ...program, node_version: process.version }, 1);
  own.configInfo.set({ hash }, 1);
  collectDefaultMetrics({ register: own.registry });
  // Gauges with the suffix of counters, which the metric linter refuses; the same counts stand under their kinds.
  for (const name of ['handles', 'requests', 'resources'])
    own.registry.removeSingleMetric(`nodejs_active_${name}_total`);
};

/** Counts what the store does. */
export const storeMeter = (own: OwnMetrics): KeptStoreMeter => {
  let longest = 0;
  own.storeHealthy.set(1);
  return {
    committed: (duration) => own.storeCommit.observe(duration),
    failed: (operation) => own.storeFailures.inc({ operation }),
    waited(duration) {
      if (duration <= longest) return;
      longest = duration;
      own.storeLongestWait.set(duration);
    },
    rebuilt: (reason) => own.storeRebuilds.inc({ reason }),
    failing: (kind) => own.storeHealthy.set(kind === undefined ? 1 : 0),
  };
};

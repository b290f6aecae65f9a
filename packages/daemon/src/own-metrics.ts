import { createHash } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { jsonText } from './json-text.js';
import type { KeptStoreMeter } from './store/kept-store.js';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const longSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
const blockSeconds = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 30, 60, 180, 600];
const delays = [0.1, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 300, 3_600, 21_600];

/** Metrics about the daemon itself. Created first, because every stage uses them. */
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
    configReloads: gauge(
      'hubwatch_config_reloads',
      'Reloads of the configuration since the process started, by result',
      ['result'],
    ),
    configLastReloadSuccessful: gauge(
      'hubwatch_config_last_reload_successful',
      'Whether the last reload of the configuration succeeded: 1 or 0',
    ),
    configLastReload: gauge(
      'hubwatch_config_last_reload_success_timestamp_seconds',
      'Time of the last successful load of the configuration',
    ),

    polls: counter('hubwatch_polls_total', 'Attempts to collect, one per target', ['job']),
    pollFailures: counter('hubwatch_poll_failures_total', 'Attempts without a reading', ['job', 'reason']),
    blockInterval: histogram(
      'hub_block_interval_seconds',
      'Time between successive blocks of the agreed head, by their block times; for several blocks between two polls, their mean',
      [],
      blockSeconds,
    ),

    pollRequests: counter('hubwatch_poll_requests_total', 'Requests sent to endpoints, by the job that needed them', [
      'job',
    ]),
    pollsSkipped: counter('hubwatch_polls_skipped_total', 'Skipped rounds', ['job', 'reason']),
    starvedRounds: counter(
      'hubwatch_starved_rounds_total',
      'Rounds that ran so late because of this machine that they were not evaluated',
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
      'Duration of one sweep of a whole list',
      ['collection'],
      longSeconds,
    ),
    sweepRecords: gauge('hubwatch_sweep_records', 'Records in the last complete sweep', ['collection']),
    sweepPages: counter('hubwatch_sweep_pages_total', 'Pages read in sweeps', ['collection']),
    sweepRestarts: counter(
      'hubwatch_sweep_restarts_total',
      'Sweeps that were discarded, by reason: height_pruned, endpoint_lost',
      ['collection', 'reason'],
    ),
    sweepHeight: gauge('hubwatch_sweep_height', 'Height of the last complete sweep', ['collection']),
    sweepLastComplete: gauge(
      'hubwatch_sweep_last_complete_timestamp_seconds',
      'When the last complete sweep ended, which gives the age of its counts; survives restarts',
      ['collection'],
    ),
    sweepPause: counter(
      'hubwatch_sweep_pause_seconds_total',
      'Time that sweeps waited because an endpoint was overloaded',
      ['endpoint'],
    ),

    requests: counter('hubwatch_requests_total', 'Requests sent to endpoints', ['endpoint', 'transport']),
    requestFailures: counter('hubwatch_request_failures_total', 'Requests that failed', [
      'endpoint',
      'transport',
      'reason',
    ]),
    requestDuration: histogram('hubwatch_request_duration_seconds', 'Time to an answer or a failure', [
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
      'Answers rejected because an earlier answer had a greater height',
      ['endpoint', 'transport'],
    ),
    websocketConnected: gauge(
      'hubwatch_websocket_connected',
      '1 while the websocket is open and its subscription acknowledged',
      ['endpoint'],
    ),
    websocketReconnects: counter(
      'hubwatch_websocket_reconnects_total',
      'Connections that ended or could not be opened',
      ['endpoint', 'reason'],
    ),
    websocketEvents: counter('hubwatch_websocket_events_total', 'Events received over the websocket', [
      'endpoint',
      'type',
    ]),
    websocketDropped: counter(
      'hubwatch_websocket_events_dropped_total',
      'Events that were not used; no data is lost, because stored data is read by height',
      ['endpoint', 'reason'],
    ),
    websocketLastMessage: gauge(
      'hubwatch_websocket_last_message_timestamp_seconds',
      'When the last event was received over the websocket',
      ['endpoint'],
    ),
    backfilledBlocks: counter('hubwatch_backfilled_blocks_total', 'Past blocks that were read later', ['reason']),
    unprocessedBlocks: gauge(
      'hubwatch_unprocessed_blocks',
      'Agreed head minus the last height whose events are stored',
    ),

    ruleEvaluations: counter('hubwatch_rule_evaluations_total', 'Rounds of rule evaluation'),
    ruleFailures: counter('hubwatch_rule_evaluation_failures_total', 'Evaluations that threw', ['alertname']),
    ruleDuration: histogram(
      'hubwatch_rule_evaluation_duration_seconds',
      'Time for which a round from observations to alerts blocked the event loop; a large round runs in several pieces',
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
    notificationsSuppressed: counter('hubwatch_notifications_suppressed_total', 'Notices that were suppressed', [
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
      'When the oldest notice that is not yet accepted was written; absent if there is none',
      ['channel'],
    ),
    channelFailing: gauge(
      'hubwatch_notification_channel_failing',
      '1 while the channel or one of its recipients accepts nothing; the reason is on the status page and in the log',
      ['channel'],
    ),
    notificationDuration: histogram('hubwatch_notification_duration_seconds', 'Time of one attempt', ['channel']),
    notificationDelay: histogram(
      'hubwatch_notification_delay_seconds',
      'Time from the change of state to acceptance by the channel',
      ['channel'],
      delays,
    ),

    alivePings: counter('hubwatch_alive_pings_total', "Pings of the dead man's switch that were accepted"),
    alivePingsWithheld: counter(
      'hubwatch_alive_pings_withheld_total',
      "Pings of the dead man's switch that were withheld",
      ['reason'],
    ),
    silences: gauge('hubwatch_silences', 'Silences that have not ended', ['state']),
    storeBytes: gauge('hubwatch_store_bytes', 'Size of the store on disk'),
    storeRows: gauge('hubwatch_store_rows', 'Rows of each table of the store, counted every hour', ['table']),
    storeCommit: histogram('hubwatch_store_commit_duration_seconds', 'Time of one durable commit'),
    storeFailures: counter('hubwatch_store_failures_total', 'Operations on the store that failed', ['operation']),
    storeHealthy: gauge(
      'hubwatch_store_healthy',
      '1 while the store accepts writes, 0 while the daemon works from memory; the reason is on the status page and in the log',
    ),
    storeLongestWait: gauge(
      'hubwatch_store_longest_wait_seconds',
      'Longest single call of the store since the start, during which the event loop was blocked',
    ),
    storeRebuilds: counter('hubwatch_store_rebuilds_total', 'Rebuilds of the store, by reason: damaged, gone', [
      'reason',
    ]),
    scrapeErrors: counter('hubwatch_scrape_errors_total', 'Parts of the metrics page that failed and were left out', [
      'part',
    ]),

    series: gauge('hubwatch_series', 'Currently exported chain series', ['family']),
    seriesLimit: gauge('hubwatch_series_limit', 'Highest number of chain series that are exported'),
    seriesDropped: counter('hubwatch_series_dropped_total', 'Series left out of the metrics page', ['reason']),
    httpRequests: counter('hubwatch_http_requests_total', 'Requests to the daemon', ['handler', 'code']),
    httpDuration: histogram('hubwatch_http_request_duration_seconds', 'Time to answer a request', ['handler']),
  };
};

export type OwnMetrics = ReturnType<typeof createOwnMetrics>;

/** Sets the values that are constant while the daemon runs, and adds the default process and runtime metrics. */
export const describeSelf = (
  own: OwnMetrics,
  program: { readonly version: string; readonly revision: string },
  config: unknown,
): void => {
  const hash = createHash('sha256').update(jsonText(config)).digest('hex').slice(0, 16);
  own.buildInfo.set({ ...program, node_version: process.version }, 1);
  own.configInfo.set({ hash }, 1);
  collectDefaultMetrics({ register: own.registry });
  // Gauges with the suffix of counters, which the metric linter rejects; the same counts are available by kind.
  for (const name of ['handles', 'requests', 'resources'])
    own.registry.removeSingleMetric(`nodejs_active_${name}_total`);
};

/** Reloads of the configuration since the process started. */
export interface Reloads {
  readonly good: number;
  readonly bad: number;
  readonly isLastGood: boolean;
  readonly lastGoodMs: number;
}

/** State of a process that has loaded its configuration once. */
export const noReloads = (loadedMs: number): Reloads => ({ good: 0, bad: 0, isLastGood: true, lastGoodMs: loadedMs });

/** Exports the number and result of reloads. */
export const describeReloads = (own: OwnMetrics, { good, bad, isLastGood, lastGoodMs }: Reloads): void => {
  own.configReloads.set({ result: 'success' }, good);
  own.configReloads.set({ result: 'failure' }, bad);
  own.configLastReloadSuccessful.set(isLastGood ? 1 : 0);
  own.configLastReload.set(lastGoodMs / 1_000);
};

/** Records the measurements of the store. */
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

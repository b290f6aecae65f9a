import { countWithin, quantile, rateOf } from './expressions.js';
import { delay, intervalsMissed, noneOrOrange, noneOrRed, yesIsBad, yesIsGood } from './judgements.js';
import type { Dashboard, PanelRow } from './panel.js';

const byJob = '{{exported_job}} ({{instance}})';
const byInstance = '{{instance}}';
const byChannel = '{{channel}} ({{instance}})';

const present: PanelRow = {
  title: 'The monitors',
  panels: [
    {
      ...{ kind: 'table', title: 'Monitors', unit: 'none', width: 16 },
      question: 'Which version does each monitor run, since when, and do all use the same configuration?',
      rows: {
        instance: 'Monitor',
        version: 'Version',
        revision: 'Revision',
        node_version: 'Node.js',
        hash: 'Configuration',
      },
      queries: [
        {
          ...{ title: 'Runs for', unit: 'seconds' },
          expr: 'max by (instance, version, revision, node_version, hash) ((time() - process_start_time_seconds) * on (job, instance) group_left (version, revision, node_version) hubwatch_build_info * on (job, instance) group_left (hash) hubwatch_config_info)',
        },
      ],
    },
    {
      ...{ kind: 'state-timeline', title: 'Scraped', unit: 'none', width: 8, states: yesIsGood },
      question: 'When could Prometheus scrape each monitor?',
      queries: [{ expr: 'max by (instance) (up)', legend: byInstance }],
    },
    {
      ...{
        kind: 'state-timeline',
        title: 'Last reload of the configuration',
        unit: 'none',
        width: 8,
        states: yesIsGood,
      },
      question: 'Did the last reload succeed? After a failed one the previous configuration stays in use.',
      queries: [{ expr: 'min by (instance) (hubwatch_config_last_reload_successful)', legend: byInstance }],
    },
    {
      ...{ kind: 'bargauge', title: 'Age of the configuration', unit: 'seconds', width: 8 },
      question: 'How long has each monitor used its configuration?',
      queries: [
        {
          expr: 'max by (instance) (time() - hubwatch_config_last_reload_success_timestamp_seconds)',
          legend: byInstance,
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Reloads', unit: 'none', width: 8 },
      question: 'How many reloads of the configuration succeeded and failed since each monitor started?',
      queries: [{ expr: 'sum by (instance, result) (hubwatch_config_reloads)', legend: '{{result}} ({{instance}})' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Duration of a scrape', unit: 'seconds', width: 12 },
      question: 'How long does a scrape of each monitor take?',
      queries: [{ expr: 'max by (instance) (scrape_duration_seconds)', legend: byInstance }],
    },
    {
      ...{ kind: 'timeseries', title: 'Series of the chain', unit: 'none', width: 12 },
      question: 'How many series of the chain does each monitor export, and how close is this to the limit?',
      queries: [
        { expr: 'sum by (instance) (hubwatch_series)', legend: byInstance },
        { expr: 'max by (instance) (hubwatch_series_limit)', legend: 'limit ({{instance}})' },
      ],
    },
  ],
};

const polls: PanelRow = {
  title: 'Polls and sweeps',
  panels: [
    {
      ...{
        kind: 'bargauge',
        title: 'Last successful round, in intervals',
        unit: 'intervals',
        width: 12,
        height: 12,
        colours: intervalsMissed,
      },
      question: 'How many poll intervals ago did each job last read all of its targets?',
      queries: [
        {
          expr: 'max by (exported_job, instance) ((time() - hubwatch_poll_last_success_timestamp_seconds) / hubwatch_poll_interval_seconds)',
          legend: byJob,
        },
      ],
    },
    {
      ...{ kind: 'bargauge', title: 'Age of slow readings', unit: 'seconds', width: 12, height: 12 },
      question:
        'How old are the values of jobs that run once a minute or less often, for the target with the oldest values?',
      queries: [
        { expr: 'max by (exported_job, instance) (time() - hubwatch_reading_timestamp_seconds)', legend: byJob },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Duration of a round, 95th percentile', unit: 'seconds', width: 12 },
      question: 'How long does a round over all targets of a job take?',
      queries: [{ expr: quantile(0.95, 'hubwatch_poll_duration_seconds', 'exported_job', 'instance'), legend: byJob }],
    },
    {
      ...{ kind: 'timeseries', title: 'Requests by job', unit: 'requestsPerSecond', width: 12, isStacked: true },
      question: 'How many requests does each job send to endpoints?',
      queries: [{ expr: rateOf('hubwatch_poll_requests_total', 'exported_job'), legend: '{{exported_job}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Collections', unit: 'perSecond', width: 8 },
      question: 'How many polls run, and how many of them return no reading?',
      queries: [
        { expr: rateOf('hubwatch_polls_total', 'instance'), legend: 'attempts ({{instance}})' },
        {
          expr: `${rateOf('hubwatch_poll_failures_total', 'instance')} or 0 * ${rateOf('hubwatch_polls_total', 'instance')}`,
          legend: 'failures ({{instance}})',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Collections that fail', unit: 'perSecond', width: 8, isStacked: true },
      question: 'Which jobs fail to return a reading, and why?',
      emptyBecause: 'no collection has failed since the monitor started.',
      queries: [
        {
          expr: rateOf('hubwatch_poll_failures_total', 'exported_job', 'reason'),
          legend: '{{exported_job}} {{reason}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Rounds left out or too late', unit: 'perSecond', width: 8 },
      question: 'Are rounds skipped, or so late because of this machine that their results are not evaluated?',
      alerts: ['HubwatchStarved'],
      emptyBecause: 'no round was left out or starved.',
      queries: [
        {
          expr: rateOf('hubwatch_polls_skipped_total', 'exported_job', 'reason'),
          legend: '{{exported_job}} {{reason}}',
        },
        { expr: rateOf('hubwatch_starved_rounds_total', 'exported_job'), legend: '{{exported_job}} starved' },
      ],
    },
    {
      ...{ kind: 'table', title: 'Sweeps', unit: 'none', width: 12 },
      question:
        'How old is the last complete read of each list, at which height was it read, and how many records does it contain?',
      alerts: ['HubwatchSweepStale'],
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      rows: { collection: 'List', instance: 'Monitor' },
      queries: [
        {
          ...{ title: 'Age', unit: 'seconds' },
          expr: 'max by (collection, instance) (time() - hubwatch_sweep_last_complete_timestamp_seconds)',
        },
        { title: 'Height', expr: 'max by (collection, instance) (hubwatch_sweep_height)', unit: 'grouped' },
        { title: 'Records', expr: 'max by (collection, instance) (hubwatch_sweep_records)', unit: 'grouped' },
        {
          ...{ title: 'Mean duration', unit: 'seconds' },
          expr: 'max by (collection, instance) (hubwatch_sweep_duration_seconds_sum / hubwatch_sweep_duration_seconds_count)',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Pages and restarts of sweeps', unit: 'perSecond', width: 12 },
      question: 'How fast are lists read, how often is a read discarded, and which share of the time do sweeps wait?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [
        { expr: rateOf('hubwatch_sweep_pages_total', 'collection'), legend: '{{collection}} pages' },
        {
          expr: rateOf('hubwatch_sweep_restarts_total', 'collection', 'reason'),
          legend: '{{collection}} restarts: {{reason}}',
        },
        { expr: rateOf('hubwatch_sweep_pause_seconds_total', 'endpoint'), legend: '{{endpoint}} part of time waited' },
      ],
    },
  ],
};

const outbox: PanelRow = {
  title: 'Alerts and notices',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Alerts by state', unit: 'none', width: 8, isStacked: true },
      question: 'How many alerts does each monitor have, by state?',
      emptyBecause: 'no condition of a rule holds.',
      queries: [{ expr: 'sum by (state, instance) (hubwatch_alerts)', legend: '{{state}} ({{instance}})' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Alert transitions', unit: 'none', width: 8, barsEvery: '1h' },
      question: 'How many alerts changed to each state in the hour before each bar?',
      emptyBecause: 'no alert has changed since the monitor started.',
      queries: [
        { expr: `sum by (to) (${countWithin('hubwatch_alert_transitions_total', '1h')})`, legend: 'to {{to}}' },
      ],
    },
    {
      ...{
        kind: 'timeseries',
        title: 'Evaluation of rules, 99th percentile',
        unit: 'seconds',
        width: 8,
        colours: delay,
      },
      question: 'How long does one slice of a rule evaluation block the event loop?',
      queries: [{ expr: quantile(0.99, 'hubwatch_rule_evaluation_duration_seconds', 'instance'), legend: byInstance }],
    },
    {
      ...{ kind: 'stat', title: 'Evaluations', unit: 'perSecond', width: 6 },
      question: 'How often are rules evaluated? At 0 no alert can fire or resolve.',
      queries: [{ expr: rateOf('hubwatch_rule_evaluations_total', 'instance'), legend: byInstance }],
    },
    {
      ...{ kind: 'stat', title: 'Failed evaluations', unit: 'none', width: 6, colours: noneOrRed },
      question: 'Which rules failed with an internal error in the selected time range?',
      emptyBecause: 'no rule has failed.',
      queries: [
        {
          expr: `sum by (alertname) (${countWithin('hubwatch_rule_evaluation_failures_total', '$__range')})`,
          legend: '{{alertname}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Notices given up', unit: 'none', width: 6, colours: noneOrRed },
      question:
        'How many notices were given up in the selected time range, because their channel did not accept them in time?',
      emptyBecause: 'no notice was given up.',
      queries: [
        {
          expr: `sum by (channel) (${countWithin('hubwatch_notifications_dead_total', '$__range')})`,
          legend: '{{channel}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Failing channels', unit: 'none', width: 6, states: yesIsBad },
      question: 'Which channels fail to deliver to at least one of their recipients?',
      emptyBecause: 'no channel is configured.',
      queries: [{ expr: 'max by (channel, instance) (hubwatch_notification_channel_failing)', legend: byChannel }],
    },
    {
      ...{ kind: 'timeseries', title: 'Pending notices', unit: 'none', width: 8, colours: noneOrOrange },
      question: 'How many notices are waiting for delivery?',
      emptyBecause: 'no channel is configured.',
      queries: [{ expr: 'max by (channel, instance) (hubwatch_notification_queue_entries)', legend: byChannel }],
    },
    {
      ...{ kind: 'timeseries', title: 'Age of the oldest pending notice', unit: 'seconds', width: 8 },
      question: 'How long ago was the oldest pending notice written?',
      emptyBecause: 'no notice is pending.',
      queries: [
        {
          expr: 'max by (channel, instance) (time() - hubwatch_notification_oldest_pending_timestamp_seconds)',
          legend: byChannel,
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'From change to acceptance, 99th percentile', unit: 'seconds', width: 8 },
      question: 'How much time passes between a change of an alert and the delivery of its notice to the channel?',
      emptyBecause: 'no notice was sent yet.',
      queries: [{ expr: quantile(0.99, 'hubwatch_notification_delay_seconds', 'channel'), legend: '{{channel}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Attempts to send', unit: 'perSecond', width: 8 },
      question: 'How many delivery attempts are made, how many of them fail, and why?',
      emptyBecause: 'no notice was sent yet.',
      queries: [
        { expr: rateOf('hubwatch_notifications_total', 'channel'), legend: '{{channel}} attempts' },
        { expr: rateOf('hubwatch_notification_failures_total', 'channel', 'reason'), legend: '{{channel}} {{reason}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Duration of an attempt, 95th percentile', unit: 'seconds', width: 8 },
      question: 'How long does a channel take to accept or refuse a notice?',
      emptyBecause: 'no notice was sent yet.',
      queries: [{ expr: quantile(0.95, 'hubwatch_notification_duration_seconds', 'channel'), legend: '{{channel}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Silences', unit: 'none', width: 4, height: 8 },
      question: 'How many silences are current or planned, by state?',
      queries: [{ expr: 'max by (state) (hubwatch_silences)', legend: '{{state}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Notices not sent on purpose', unit: 'none', width: 4, height: 8 },
      question: 'How many notices were intentionally not sent in the selected time range, by reason?',
      emptyBecause: 'no notice was silenced, grouped or held back.',
      queries: [
        {
          expr: `sum by (reason) (${countWithin('hubwatch_notifications_suppressed_total', '$__range')})`,
          legend: '{{reason}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Signs of life accepted', unit: 'none', width: 12 },
      question: 'How many alive pings did the external service accept in the selected time range?',
      queries: [
        { expr: `sum by (instance) (${countWithin('hubwatch_alive_pings_total', '$__range')})`, legend: byInstance },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Signs of life withheld', unit: 'none', width: 12, colours: noneOrOrange },
      question:
        'How many alive pings were withheld or failed in the selected time range? The external service raises an alarm if they stop.',
      emptyBecause: 'every sign of life was accepted.',
      queries: [
        {
          expr: `sum by (reason) (${countWithin('hubwatch_alive_pings_withheld_total', '$__range')})`,
          legend: '{{reason}}',
        },
      ],
    },
  ],
};

const store: PanelRow = {
  title: 'Store',
  panels: [
    {
      ...{ kind: 'stat', title: 'Store accepts writes', unit: 'none', width: 6, states: yesIsGood },
      question: 'Does the store accept writes? Otherwise the monitor keeps its data in memory only.',
      alerts: ['HubwatchStoreFailing'],
      queries: [{ expr: 'min by (instance) (hubwatch_store_healthy)', legend: byInstance }],
    },
    {
      ...{ kind: 'stat', title: 'Longest call of the store', unit: 'seconds', width: 6, colours: delay },
      question: 'How long did the longest single store call block the event loop since the start?',
      queries: [{ expr: 'max by (instance) (hubwatch_store_longest_wait_seconds)', legend: byInstance }],
    },
    {
      ...{ kind: 'stat', title: 'Failed operations', unit: 'none', width: 6, colours: noneOrRed },
      question: 'How many store operations failed in the selected time range?',
      alerts: ['HubwatchStoreFailing'],
      emptyBecause: 'no operation on the store has failed.',
      queries: [
        {
          expr: `sum by (operation) (${countWithin('hubwatch_store_failures_total', '$__range')})`,
          legend: '{{operation}}',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Store rebuilds', unit: 'none', width: 6, colours: noneOrRed },
      question:
        'How often was the store created again in the selected time range, because the old one was damaged or missing?',
      alerts: ['HubwatchStoreRebuilt'],
      emptyBecause: 'the store was never lost.',
      queries: [
        { expr: `sum by (reason) (${countWithin('hubwatch_store_rebuilds_total', '$__range')})`, legend: '{{reason}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Size of the store', unit: 'bytes', width: 12 },
      question: 'How large is the store on disk?',
      queries: [{ expr: 'max by (instance) (hubwatch_store_bytes)', legend: byInstance }],
    },
    {
      ...{ kind: 'timeseries', title: 'Rows of the store', unit: 'none', width: 12 },
      question: 'How many rows does each table of the store contain? Each table is bounded.',
      queries: [{ expr: 'max by (table, instance) (hubwatch_store_rows)', legend: '{{table}} ({{instance}})' }],
    },
    {
      ...{
        kind: 'timeseries',
        title: 'Duration of a commit, 99th percentile',
        unit: 'seconds',
        width: 12,
        colours: delay,
      },
      question: 'How long does a durable commit take?',
      queries: [{ expr: quantile(0.99, 'hubwatch_store_commit_duration_seconds', 'instance'), legend: byInstance }],
    },
  ],
};

const process: PanelRow = {
  title: 'Process',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Memory', unit: 'bytes', width: 8 },
      question: 'How much memory does each monitor use, and how much of it is the JavaScript heap?',
      queries: [
        { expr: 'max by (instance) (process_resident_memory_bytes)', legend: 'resident ({{instance}})' },
        { expr: 'max by (instance) (nodejs_heap_size_used_bytes)', legend: 'heap ({{instance}})' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Delay of the event loop', unit: 'seconds', width: 8, colours: delay },
      question: 'By how much is the event loop delayed, on average and at the 99th percentile?',
      alerts: ['HubwatchStarved'],
      queries: [
        { expr: 'max by (instance) (nodejs_eventloop_lag_mean_seconds)', legend: 'mean ({{instance}})' },
        { expr: 'max by (instance) (nodejs_eventloop_lag_p99_seconds)', legend: '99 % ({{instance}})' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Processor', unit: 'percent', width: 8 },
      question: 'Which share of one CPU core does each monitor use?',
      queries: [{ expr: rateOf('process_cpu_seconds_total', 'instance'), legend: byInstance }],
    },
    {
      ...{ kind: 'timeseries', title: 'Garbage collection', unit: 'percent', width: 12 },
      question: 'Which share of the time does garbage collection take, by kind?',
      queries: [
        { expr: rateOf('nodejs_gc_duration_seconds_sum', 'kind', 'instance'), legend: '{{kind}} ({{instance}})' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Open files', unit: 'none', width: 12 },
      question: 'How many files and sockets does each monitor have open?',
      queries: [{ expr: 'max by (instance) (process_open_fds)', legend: byInstance }],
    },
  ],
};

const web: PanelRow = {
  title: 'Web server',
  panels: [
    {
      ...{
        kind: 'timeseries',
        title: 'Requests to the monitor',
        unit: 'requestsPerSecond',
        width: 12,
        isStacked: true,
      },
      question: 'How many requests does the monitor answer, by page and status?',
      queries: [{ expr: rateOf('hubwatch_http_requests_total', 'handler', 'code'), legend: '{{handler}} {{code}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Time to answer, 99th percentile', unit: 'seconds', width: 12 },
      question: 'How long does the monitor take to answer a request?',
      queries: [{ expr: quantile(0.99, 'hubwatch_http_request_duration_seconds', 'handler'), legend: '{{handler}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Series left out', unit: 'none', width: 12, colours: noneOrRed },
      question:
        'How many series were dropped from the metrics page in the selected time range, because the limit was reached?',
      emptyBecause: 'the limit was never reached.',
      queries: [
        { expr: `sum by (reason) (${countWithin('hubwatch_series_dropped_total', '$__range')})`, legend: '{{reason}}' },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Parts of the page that failed', unit: 'none', width: 12, colours: noneOrRed },
      question: 'How many parts of the metrics page failed and were omitted in the selected time range?',
      emptyBecause: 'no part of a page has failed.',
      queries: [
        { expr: `sum by (part) (${countWithin('hubwatch_scrape_errors_total', '$__range')})`, legend: '{{part}}' },
      ],
    },
  ],
};

/** For people who operate hubwatch itself. */
export const daemon: Dashboard = {
  name: 'daemon',
  title: 'Daemon',
  about:
    'Do the monitors themselves work: do they poll in time, deliver notices, write their store, and how much do they use?',
  subjects: [],
  from: 'now-6h',
  refresh: '1m',
  rows: [present, polls, outbox, store, process, web],
};

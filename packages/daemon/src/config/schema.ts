import { z } from 'zod';
import { logLevels } from '../log.js';
import { endpoint } from './endpoint-schemas.js';
import { alive } from '../notifiers/alive-ping.js';
import * as notifierList from '../notifiers/list.js';
import { sweeps } from './sweep-schemas.js';
import { duration, hostName, hostPort, httpUrl, isBlock, label, oneOrMore, word, zone } from './scalars.js';
import { watch } from './watch-schemas.js';

const poll = z
  .strictObject({
    endpoints: duration({ min: '100ms', max: '10m' })
      .prefault('10s')
      .describe('Status of every endpoint: height, block time, sync, peers.'),
    nodes: duration({ min: '100ms', max: '10m' }).prefault('30s').describe('Records of the watched nodes.'),
    leases: duration({ min: '100ms', max: '1h' }).prefault('2m').describe('Leases of the watched nodes.'),
    sessions: duration({ min: '100ms', max: '1h' }).prefault('2m').describe('Sessions of the watched nodes.'),
    renewals: duration({ min: '100ms', max: '1d' })
      .prefault('5m')
      .describe('Forecast of the lease renewals of watched providers.'),
    network: duration({ min: '100ms', max: '1d' })
      .prefault('5m')
      .describe(
        'Parameters, proposals, upgrades, oracle prices, list of all nodes, retained history and surface of endpoints.',
      ),
    accounts: duration({ min: '100ms', max: '1d' })
      .prefault('10m')
      .describe('Balances, deposits and fee grants of the watched accounts.'),
    subscriptions: duration({ min: '100ms', max: '1d' })
      .prefault('10m')
      .describe('Plans of the watched providers and subscriptions of the watched accounts.'),
    ledger: duration({ min: '100ms', max: '10m' })
      .prefault('10s')
      .describe('How often the ledger looks for new blocks where no websocket announces them.'),
    other: duration({ min: '100ms', max: '1d' }).prefault('1m').describe('Every other check.'),
    timeout: duration({ min: '100ms', max: '1m' }).prefault('5s').describe('Longest time for one request.'),
  })
  .describe('How often each kind of data is read.');

const ruleSetting = z.strictObject({
  enabled: z.boolean().default(true).describe('`false` turns the alert off.'),
  for: duration({ min: '0s', max: '7d' })
    .optional()
    .describe('How long the condition must hold. Default: the duration in docs/alerts.md.'),
});

const alerts = z
  .strictObject({
    external_url: httpUrl.optional().describe('Address of the status page, for links in notices.'),
    monitor: label.optional().describe('Name of this monitor in notices. Default: the name of the machine.'),
    rules: z
      .record(z.string().meta({ title: 'alert' }), ruleSetting)
      .default({})
      .describe('Settings of single alerts, by the name in docs/alerts.md.'),
    group_above: z
      .int()
      .min(1)
      .max(1_000)
      .default(5)
      .describe('Number of notices of one alert that are sent one by one; more within ten minutes are sent as one.'),
    group_wait: duration({ min: '0s', max: '5m' })
      .prefault('10s')
      .describe('How long the first notice of a group waits for the others.'),
    flap_above: z
      .int()
      .min(1)
      .max(1_000)
      .default(3)
      .describe('Number of firing notices of one subject within `flap_window`; then it is reported as flapping.'),
    flap_window: duration({ min: '1m', max: '1d' }).prefault('1h').describe('Window in which changes are counted.'),
    flap_settle: duration({ min: '0s', max: '1d' })
      .prefault('15m')
      .describe('How long a flapping subject must not change before its state is reported.'),
    give_up_after: duration({ min: '10m', max: '30d' })
      .prefault('1d')
      .describe('Age at which an undelivered notice is given up. The last notice about an alert is always kept.'),
  })
  .describe('When and how notices are sent.');

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const timeOfDay = word('a time of day, such as 02:30')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'expected a time of day in quotes, such as "02:30"' })
  .meta({ title: 'time of day', examples: ['02:30'] });

const maintenanceWindow = z
  .strictObject({
    name: label.describe('Name of the window in notices and on the page.'),
    days: oneOrMore(z.enum(days), `a day or a list of them: ${days.join(', ')}`)
      .prefault([...days])
      .describe('Days on which the window begins.'),
    from: timeOfDay.describe('Time of day at which it begins.'),
    to: timeOfDay.describe('Time of day at which it ends; on the next day if it is earlier than `from`.'),
    zone: zone.default('UTC').describe('Time zone of the window.'),
    rules: z.array(word('the name of a rule')).default([]).describe('Alerts that the window silences; all if empty.'),
    subjects: z
      .array(word('an address or the name of an endpoint'))
      .default([])
      .describe('Addresses of nodes and names of endpoints that the window silences; all if empty.'),
  })
  .refine((value) => value.from !== value.to, {
    error:
      'from and to are the same; a window lasts 1 min to 23 h 59 min, a whole day takes two, such as 00:00 to 12:00 and 12:00 to 00:00',
    when: isBlock,
  });

const web = z
  .strictObject({
    listen: hostPort.prefault('127.0.0.1:9190').describe('Address on which page, metrics and API are served.'),
    hosts: oneOrMore(hostName, 'a host name or a list of them')
      .default([])
      .describe(
        'Host names under which the page is requested, in addition to those of this machine and of `alerts.external_url`.',
      ),
  })
  .describe('Status page, /metrics and API.');

type NotifierSchemas = { readonly [K in keyof typeof notifierList]: (typeof notifierList)[K]['schema'] };

const notifiers = z
  .strictObject(
    Object.fromEntries(Object.entries(notifierList).map(([key, { schema }]) => [key, schema])) as NotifierSchemas,
  )
  .describe('Channels that notices are sent to.');

export const configSchema = z.strictObject({
  network: z
    .strictObject({
      chain_id: word('a chain id, such as hub-2', 64)
        .optional()
        .describe('Chain that is monitored. Endpoints of another chain are reported and not used. Default: any.'),
      name: label.optional().describe('Name on pages and in the label `network`.'),
    })
    .default({})
    .describe('The chain that is monitored.'),
  endpoints: z
    .array(endpoint)
    .min(1, { error: 'at least one endpoint is needed' })
    .describe('Nodes that are queried. Each needs at least one of `grpc`, `rest` and `rpc`.'),
  watch: watch.prefault({}),
  poll: poll.prefault({}),
  sweeps: sweeps.prefault({}),
  maintenance: z.array(maintenanceWindow).default([]).describe('Times at which no firing notice is sent.'),
  alerts: alerts.prefault({}),
  notifiers: notifiers.prefault({}),
  alive: alive.optional(),
  web: web.prefault({}),
  store: z
    .strictObject({
      path: word('the path of a file, such as hubwatch.db')
        .default('hubwatch.db')
        .describe('File of the store, relative to the working directory.'),
      keep: duration({ min: '7d', max: '3650d' })
        .prefault('400d')
        .describe('How long history is kept, such as ended alerts and values of subjects that are no longer watched.'),
      ledger_rows: z
        .int()
        .min(1_000)
        .max(10_000_000)
        .default(400_000)
        .describe(
          'Number of ledger entries that are kept, the newest first. The default is about a year of twenty nodes with leases.',
        ),
    })
    .prefault({})
    .describe('History, ledger, alerts and undelivered notices.'),
  log: z
    .strictObject({ level: z.enum(logLevels).default('info').describe('Lowest level that is logged.') })
    .prefault({})
    .describe('Log on standard error.'),
});

/** The complete configuration, validated, with defaults. */
export type Config = z.output<typeof configSchema>;
export type EndpointConfig = Config['endpoints'][number];
export type WatchedNode = Config['watch']['nodes'][number];

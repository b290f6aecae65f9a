import { z } from 'zod';
import { logLevels } from '../log.js';
import { endpoint } from './endpoint-schemas.js';
import { alive, notifiers } from './notifier-schemas.js';
import { sweeps } from './sweep-schemas.js';
import { duration, hostName, hostPort, httpUrl, isBlock, label, oneOrMore, word, zone } from './scalars.js';
import { watch } from './watch-schemas.js';

const poll = z.strictObject({
  endpoints: duration({ min: '100ms', max: '10m' }).default(10_000),
  nodes: duration({ min: '100ms', max: '10m' }).default(30_000),
  leases: duration({ min: '100ms', max: '1h' }).default(120_000),
  sessions: duration({ min: '100ms', max: '1h' }).default(120_000),
  renewals: duration({ min: '100ms', max: '1d' }).default(300_000),
  network: duration({ min: '100ms', max: '1d' }).default(300_000),
  accounts: duration({ min: '100ms', max: '1d' }).default(600_000),
  subscriptions: duration({ min: '100ms', max: '1d' }).default(600_000),
  ledger: duration({ min: '100ms', max: '10m' }).default(10_000),
  other: duration({ min: '100ms', max: '1d' }).default(60_000),
  timeout: duration({ min: '100ms', max: '1m' }).default(5_000),
});

const ruleSetting = z.strictObject({
  enabled: z.boolean().default(true),
  for: duration({ min: '0s', max: '7d' }).optional(),
});

const alerts = z.strictObject({
  /** Address of the status page for links in notices. */
  external_url: httpUrl.optional(),
  /** Name of this monitor in notices; the name of the machine when left out. */
  monitor: label.optional(),
  rules: z.record(z.string(), ruleSetting).default({}),
  /** Notices of one rule beyond so many, until it is quiet for ten minutes, go out as one. */
  group_above: z.int().min(1).max(1_000).default(5),
  /** How long the first of many waits for the others. */
  group_wait: duration({ min: '0s', max: '5m' }).default(10_000),
  /** Notices that one subject fires, within the window, that are sent; then it is reported as flapping. */
  flap_above: z.int().min(1).max(1_000).default(3),
  flap_window: duration({ min: '1m', max: '1d' }).default(3_600_000),
  /** How long a subject that flaps must not change before its state is reported. */
  flap_settle: duration({ min: '0s', max: '1d' }).default(900_000),
  /** Age at which a notice that no attempt brought through is given up; the last one about an alert is kept. */
  give_up_after: duration({ min: '10m', max: '30d' }).default(86_400_000),
});

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const timeOfDay = word('a time of day, such as 02:30').regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
  error: 'expected a time of day in quotes, such as "02:30"',
});

const maintenanceWindow = z
  .strictObject({
    name: label,
    days: oneOrMore(z.enum(days), `a day or a list of them: ${days.join(', ')}`).default([...days]),
    from: timeOfDay,
    to: timeOfDay,
    zone: zone.default('UTC'),
    /** Rules that it keeps quiet; all when empty. */
    rules: z.array(word('the name of a rule')).default([]),
    /** Subjects that it keeps quiet: addresses of nodes, names of endpoints; all when empty. */
    subjects: z.array(word('an address or the name of an endpoint')).default([]),
  })
  .refine((value) => value.from !== value.to, {
    error:
      'from and to are the same; a window lasts 1 min to 23 h 59 min, a whole day takes two, such as 00:00 to 12:00 and 12:00 to 00:00',
    when: isBlock,
  });

const web = z.strictObject({
  listen: hostPort.default({ host: '127.0.0.1', port: 9190 }),
  /** Names under which the page is asked for, besides those of this machine and of `alerts.external_url`. */
  hosts: oneOrMore(hostName, 'a host name or a list of them').default([]),
});

export const configSchema = z.strictObject({
  network: z
    .strictObject({ chain_id: word('a chain id, such as hub-2', 64).optional(), name: label.optional() })
    .default({}),
  endpoints: z.array(endpoint).min(1, { error: 'at least one endpoint is needed' }),
  watch: watch.default(() => watch.parse({})),
  poll: poll.default(() => poll.parse({})),
  sweeps: sweeps.default(() => sweeps.parse({})),
  maintenance: z.array(maintenanceWindow).default([]),
  alerts: alerts.default(() => alerts.parse({})),
  notifiers: notifiers.default(() => notifiers.parse({})),
  alive: alive.optional(),
  web: web.default(() => web.parse({})),
  store: z.strictObject({ path: word('the path of a file, such as hubwatch.db') }).default({ path: 'hubwatch.db' }),
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).default({ level: 'info' }),
});

/** The whole configuration after defaults, checked. */
export type Config = z.output<typeof configSchema>;
export type EndpointConfig = Config['endpoints'][number];
export type WatchedNode = Config['watch']['nodes'][number];

import type { Config } from '../config/schema.js';
import type { PrometheusAlert } from './alert.js';
import { allAlerts } from './all-alerts.js';
import { yamlFile } from './yaml-file.js';

/** Scrape labels that identify a daemon: an alert inhibits only alerts of the same daemon. */
const ofDaemon = ['job', 'instance'];

interface Inhibiting {
  readonly source: string;
  readonly equal: readonly string[];
  readonly targets: string[];
}

/** Example of an Alertmanager configuration: routes by severity, and the rules' inhibitions. */
export const alertmanagerFile = (config: Config): string =>
  yamlFile(note, { route, receivers, inhibit_rules: inhibitRules(config) });

const note = [
  'Example of an Alertmanager configuration, written by "hubwatch export-rules".',
  'Replace the receivers. Keep inhibit_rules: with them one cause makes one message, as in the daemon itself.',
];

const route = {
  receiver: 'chat',
  group_by: ['alertname', ...ofDaemon],
  group_wait: '30s',
  group_interval: '5m',
  repeat_interval: '12h',
  routes: [
    {
      matchers: ['severity="none"'],
      receiver: 'watchdog',
      group_wait: '0s',
      group_interval: '1m',
      repeat_interval: '5m',
    },
    { matchers: ['severity="critical"'], receiver: 'pager', repeat_interval: '1h' },
    { matchers: ['severity="info"'], receiver: 'mail', group_interval: '1h', repeat_interval: '1d' },
  ],
};

const receivers = [
  { name: 'pager', webhook_configs: [{ url: 'http://pager.example.org/alerts' }] },
  { name: 'chat', webhook_configs: [{ url: 'http://chat.example.org/alerts' }] },
  {
    name: 'mail',
    email_configs: [
      {
        to: 'operator@example.org',
        from: 'alertmanager@example.org',
        smarthost: 'smtp.example.org:587',
        auth_username: 'alertmanager@example.org',
        auth_password_file: '/etc/prometheus/mail-password',
      },
    ],
  },
  { name: 'watchdog', webhook_configs: [{ url: 'http://watchdog.example.org/ping', send_resolved: false }] },
];

/**
 * Inhibitions of all alerts. The `equal` labels are those that identify the inhibiting alert's subject. There are none if the
 * inhibiting alert concerns everything that a daemon watches.
 */
const inhibitRules = (config: Config) => {
  const alerts = allAlerts(config);
  const byName = new Map(alerts.map((alert) => [alert.name, alert]));
  const inhibiting = new Map<string, Inhibiting>();
  for (const target of alerts)
    for (const { rule } of target.inhibitedBy ?? []) {
      const source = byName.get(rule);
      if (source === undefined) continue;
      const equal = sharedLabels(source, target);
      const key = [rule, ...equal].join(' ');
      const known = inhibiting.get(key) ?? { source: rule, equal, targets: [] };
      known.targets.push(target.name);
      inhibiting.set(key, known);
    }
  return [...inhibiting.values()].map(({ source, equal, targets }) => ({
    source_matchers: [`alertname="${source}"`],
    target_matchers: [targets.length === 1 ? `alertname="${targets[0]}"` : `alertname=~"${targets.join('|')}"`],
    ...(equal.length === 0 ? {} : { equal }),
  }));
};

const sharedLabels = (source: PrometheusAlert, target: PrometheusAlert): readonly string[] =>
  allLabels(source).filter((label) => allLabels(target).includes(label));

const allLabels = ({ labels, isGlobal = false }: PrometheusAlert): readonly string[] =>
  isGlobal ? labels : [...ofDaemon, ...labels];

import { range } from '../checks/prometheus.js';
import type { Config } from '../config/schema.js';
import type { PrometheusAlert } from './alert.js';
import { allAlerts } from './all-alerts.js';
import { chainRecordings } from './chain-alerts.js';
import { daemonRecordings } from './daemon-alerts.js';
import { formatPromql } from './promql-text.js';
import { yamlFile } from './yaml-file.js';

export interface RulesOptions {
  /** Address of the folder with alerts.md; without it, alerts have no link. */
  readonly docsUrl: string | undefined;
  readonly nowMs: number;
}

/** Series that recording rules produce: name → expression. */
export const recordings: Readonly<Record<string, string>> = { ...daemonRecordings, ...chainRecordings };

/** The Prometheus rule file: alerts, then recording rules. */
export const rulesFile = (config: Config, options: RulesOptions): string => {
  const groups = [
    { name: 'hubwatch-alerts', rules: allAlerts(config).map((alert) => alertOf(alert, config, options)) },
    {
      name: 'hubwatch-recordings',
      rules: Object.entries(recordings).map(([record, expr]) => ({ record, expr: formatPromql(expr) })),
    },
  ];
  return yamlFile(note, { groups });
};

const note = [
  'Alerts and recordings of hubwatch for Prometheus, written by "hubwatch export-rules".',
  'Labels of the scrape (job, instance and others) stay on every result: several daemons may share a Prometheus.',
];

/** The condition of an alert under the given configuration. */
export const exprOf = ({ expr }: PrometheusAlert, config: Config, nowMs: number): string =>
  formatPromql(typeof expr === 'string' ? expr : expr(config, nowMs));

const alertOf = (alert: PrometheusAlert, config: Config, { docsUrl, nowMs }: RulesOptions) => {
  const { name, severity, forMs, summary, description } = alert;
  return {
    alert: name,
    expr: exprOf(alert, config, nowMs),
    ...(forMs === 0 ? {} : { for: range(forMs) }),
    labels: { severity },
    annotations: {
      summary,
      description,
      ...(docsUrl === undefined ? {} : { runbook_url: `${docsUrl}/alerts.md#${name.toLowerCase()}` }),
    },
  };
};

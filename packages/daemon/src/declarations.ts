import type { Registry } from 'prom-client';
import { commandHelp as helpTexts } from './cli/commands.js';
import { exitCodeText } from './cli/exit-codes.js';
import { dashboardFiles as filesOf, dashboards as allDashboards } from './dashboards/index.js';
import { renewalBlockers } from './forecast/renewal-blockers.js';
import { chainFamilies } from './metrics/families.js';
import { deliveryReasons } from './outbox/delivery-error.js';
import { createOwnMetrics, describeSelf } from './own-metrics.js';
import {
  allAlerts,
  defaultConfig,
  docsUrl,
  exprOf,
  ownAlerts,
  type PrometheusAlert,
  prometheusFiles,
  recordings,
} from './prometheus/index.js';
import { rules } from './rules/index.js';
import { tables } from './store/tables.js';

export {
  type ArgumentDeclaration,
  type CommandDeclaration,
  commandTree,
  type OptionDeclaration,
} from './cli/command-tree.js';
export { yamlFile } from './prometheus/yaml-file.js';
export { configJsonSchema, type JsonSchema } from './config/json-schema.js';

/** Documented properties of a metric. */
export interface MetricDeclaration {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** All metrics about the chain, in the order of the page. */
export const chainMetrics = (): readonly MetricDeclaration[] =>
  chainFamilies().map(({ name, type, labels, help }) => ({ name, type, labels, help }));

/** Metrics about the daemon itself, without those of the process and the runtime. */
export const ownMetrics = (): readonly MetricDeclaration[] => declaredIn(createOwnMetrics().registry);

/** Metrics of the process and of the Node runtime. */
export const runtimeMetrics = (): readonly MetricDeclaration[] => {
  const own = createOwnMetrics();
  const before = new Set(declaredIn(own.registry).map(({ name }) => name));
  describeSelf(own, { version: '', revision: '' }, {});
  return declaredIn(own.registry).filter(({ name }) => !before.has(name));
};

const declaredIn = (registry: Registry): readonly MetricDeclaration[] =>
  registry.getMetricsAsArray().map((metric) => {
    const { name, help, type, labelNames } = metric as unknown as DeclaredMetric;
    return { name, type, labels: labelNames, help };
  });

/** prom-client has these members, but its types omit them. */
interface DeclaredMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** The questions that each dashboard answers, by panel. */
export const dashboardQuestions = () =>
  allDashboards.map(({ name, title, about, rows }) => ({
    ...{ name, title, about },
    rows: rows.map((row) => ({
      title: row.title,
      panels: row.panels.map((panel) => ({
        ...{ title: panel.title, kind: panel.kind, question: panel.question },
        ...{ emptyBecause: panel.emptyBecause, alerts: panel.alerts ?? [] },
      })),
    })),
  }));

/** Dashboards as files for import into Grafana: name → text. Their links lead to pages below `docsUrl`. */
export const grafanaFiles = (docsUrl: string): ReadonlyMap<string, string> =>
  filesOf([...chainMetrics(), ...ownMetrics(), ...runtimeMetrics()], docsUrl);

/** Every alert with its hold. */
export const alerts = () =>
  rules.map(({ name, severity, forMs, time, inhibitedBy = [], deviation, prometheus }) => ({
    ...{ name, severity, forMs, time, inhibitedBy, deviation, prometheus },
  }));

/** An alert in the exported rule file, with its condition under the default configuration. */
export interface ExportedAlert extends Omit<PrometheusAlert, 'expr'> {
  readonly expr: string;
}

const exported = (alerts: readonly PrometheusAlert[]): readonly ExportedAlert[] => {
  const config = defaultConfig();
  return alerts.map((alert) => ({ ...alert, expr: exprOf(alert, config, 0) }));
};

/** All alerts for Prometheus. */
export const prometheusAlerts = (): readonly ExportedAlert[] => exported(allAlerts(defaultConfig()));

/** Alerts for Prometheus that are not rules of the daemon. */
export const prometheusOnlyAlerts = (): readonly ExportedAlert[] => exported(ownAlerts);

/** Series that the exported recording rules produce: name → expression. */
export const prometheusRecordings = (): Readonly<Record<string, string>> => recordings;

/** Address of docs/ in example files; the placeholder from RELEASING.md until the repository is set. */
export const exampleDocsUrl = (): string => docsUrl() ?? 'https://git.example.org/owner/hubwatch/blob/HEAD/docs';

/** Files in deploy/prometheus: output of `export-rules` for the default configuration. */
export const prometheusExample = (): ReadonlyMap<string, string> =>
  prometheusFiles(defaultConfig(), { docsUrl: exampleDocsUrl(), nowMs: 0 });

/** All reasons for failed attempts to send a notice. */
export const notificationFailures = () =>
  Object.entries(deliveryReasons).map(([reason, { means, advice, longestPauseMs }]) => ({
    reason,
    means,
    advice,
    longestPauseMs,
  }));

/** All reasons why the chain does not renew a lease. */
export const leaseRenewalBlockers = () =>
  Object.entries(renewalBlockers).map(([reason, { means, advice }]) => ({ reason, means, advice }));

/** All tables of the store, with the retention of their rows. */
export const storeTables = () => tables.map(({ name, kept }) => ({ name, kept }));

/** All commands with their help text, and the exit codes of commands that document none. */
export const commandsAndExitCodes = () => ({
  commands: helpTexts(),
  exitCodes: exitCodeText,
});

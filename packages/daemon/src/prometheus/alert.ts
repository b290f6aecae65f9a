import type { PrometheusCondition } from '../checks/prometheus.js';
import type { Inhibition, Severity } from '../checks/verdict.js';
import type { Config } from '../config/schema.js';
import { configuredRules } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';
import { chainAlerts } from './chain-alerts.js';
import { daemonAlerts } from './daemon-alerts.js';

/** An alert of Prometheus. `none`: it fires all the time, to show that alerts arrive. */
export interface PrometheusAlert extends PrometheusCondition {
  readonly name: string;
  readonly severity: Severity | 'none';
  readonly forMs: number;
  readonly inhibitedBy?: readonly Pick<Inhibition, 'rule'>[];
  /** How the condition differs from the published rules, and why; listed in docs/alerts.md. */
  readonly deviation?: string;
  /** It concerns no single daemon: its result has no labels of a scrape. */
  readonly isGlobal?: boolean;
}

/** Alerts of the daemon's own rules as configured, as far as metrics can express them. */
export const ruleAlerts = (config: Config): readonly PrometheusAlert[] =>
  configuredRules(rules, config).flatMap(({ name, severity, forMs, inhibitedBy = [], prometheus }) =>
    prometheus === undefined || 'notInMetrics' in prometheus
      ? []
      : [{ ...prometheus, name, severity, forMs, inhibitedBy }],
  );

/** Alerts that only Prometheus can raise, or that a single daemon need not. */
export const ownAlerts: readonly PrometheusAlert[] = [...chainAlerts, ...daemonAlerts];

export const allAlerts = (config: Config): readonly PrometheusAlert[] => [...ruleAlerts(config), ...ownAlerts];

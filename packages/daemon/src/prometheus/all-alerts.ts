import type { Config } from '../config/schema.js';
import { configuredRules } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';
import type { PrometheusAlert } from './alert.js';
import { chainAlerts } from './chain-alerts.js';
import { daemonAlerts } from './daemon-alerts.js';

/** Alerts of the daemon's configured rules, without those that metrics cannot express. */
export const ruleAlerts = (config: Config): readonly PrometheusAlert[] =>
  configuredRules(rules, config).flatMap(({ name, severity, forMs, inhibitedBy = [], prometheus }) =>
    prometheus === undefined || 'notInMetrics' in prometheus
      ? []
      : [{ ...prometheus, name, severity, forMs, inhibitedBy }],
  );

/** Alerts that only Prometheus can raise, or that a single daemon need not raise. */
export const ownAlerts: readonly PrometheusAlert[] = [...chainAlerts, ...daemonAlerts];

export const allAlerts = (config: Config): readonly PrometheusAlert[] => [...ruleAlerts(config), ...ownAlerts];

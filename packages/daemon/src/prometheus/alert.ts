import type { PrometheusCondition } from '../checks/prometheus.js';
import type { Inhibition, Severity } from '../checks/verdict.js';

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

import type { PrometheusCondition } from '../checks/prometheus.js';
import type { Inhibition, Severity } from '../checks/verdict.js';

/** A Prometheus alert. Severity `none`: it always fires, to show that alerts are delivered. */
export interface PrometheusAlert extends PrometheusCondition {
  readonly name: string;
  readonly severity: Severity | 'none';
  readonly forMs: number;
  readonly inhibitedBy?: readonly Pick<Inhibition, 'rule'>[];
  /** Difference from the published rules, with the reason; listed in docs/alerts.md. */
  readonly deviation?: string;
  /** The alert does not concern a single daemon: its result has no scrape labels. */
  readonly isGlobal?: boolean;
}

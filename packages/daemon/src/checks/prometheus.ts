import type { Config } from '../config/schema.js';

/** A rule's condition in PromQL. Name, severity, hold and inhibitions come from the rule. */
export interface PrometheusCondition {
  /**
   * The alert fires for each series in the result. The result keeps the scrape labels, so that one Prometheus can watch several
   * daemons. A function if a threshold is configurable; `nowMs` is the time of the export.
   */
  readonly expr: string | ((config: Config, nowMs: number) => string);
  /** Labels of the result that identify the subject, in addition to the scrape labels. */
  readonly labels: readonly string[];
  /** What happened, in one line; may use `{{ $labels.NAME }}` and `{{ $value | printf "%.0f" }}`. */
  readonly summary: string;
  /** The consequence, then the remedy. */
  readonly description: string;
  /** How the decisions of Prometheus and of the daemon differ. */
  readonly difference?: string;
}

/** Reason why metrics cannot express a rule's condition. */
export interface NotInMetrics {
  readonly notInMetrics: string;
}

/** Duration in seconds, in PromQL notation. */
export const seconds = (ms: number): string => String(ms / 1_000);

const units: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** A range or hold in its largest whole unit: `15m`, `1d`. */
export const range = (ms: number): string => {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
};

/** Limits an endpoint condition to the operator's own endpoints. */
export const ofOwn = (expr: string): string =>
  `${expr} and ignoring (role, network) hub_endpoint_config_info{role="own"}`;

/** Excludes reference endpoints from an endpoint condition. */
export const notOfReferences = (expr: string): string =>
  `${expr} and ignoring (role, network) hub_endpoint_config_info{role!="reference"}`;

/** True while a state set is in one of the given states. */
export const isIn = (metric: string, label: string, members: readonly string[]): string =>
  `max without (${label}) (${metric}{${label}=~"${members.join('|')}"}) == 1`;

/** Seconds of chain time from the agreed head until the time in a series with the given labels. */
export const fromHead = (metric: string, labels: readonly string[]): string =>
  `${metric} - ignoring (${labels.join(', ')}) group_left () hub_head_timestamp_seconds`;

/** Seconds of chain time from the time in a series with the given labels until the agreed head. */
export const untilHead = (metric: string, labels: readonly string[]): string =>
  `hub_head_timestamp_seconds - ignoring (${labels.join(', ')}) group_right () ${metric}`;

/** True if a counter increased within the given time. */
export const hasIncreased = (metric: string, withinMs: number): string => `increase(${metric}[${range(withinMs)}]) > 0`;

/**
 * How long the first event of a counter fires. Only daemons that ran for at least this long before the event are considered.
 */
const firstEventMs = 600_000;

/**
 * Like `hasIncreased`, for a counter whose series starts with its first event and is never interrupted. `increase` misses the
 * first event, so a series that is new in a daemon that already ran also counts.
 */
export const hasBegunOrIncreased = (metric: string, labels: readonly string[], withinMs: number): string => {
  const since = range(Math.min(withinMs, firstEventMs));
  const isNew = `${metric} unless ${metric} offset ${since}`;
  const wasThere = `ignoring (${labels.join(', ')}) hubwatch_rule_evaluations_total offset ${since}`;
  return `${hasIncreased(metric, withinMs)} or (${isNew} and ${wasThere})`;
};

/** Joins the node and the provider of a lease to a lease condition. */
export const withParties = (expr: string): string =>
  `(${expr}) * ignoring (node, provider, denom, renewal_policy) group_left (node, provider) hub_lease_info`;

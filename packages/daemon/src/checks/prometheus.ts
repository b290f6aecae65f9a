import type { Config } from '../config/schema.js';

/** The condition of a rule in PromQL. Name, severity, hold and inhibitions are those of the rule. */
export interface PrometheusCondition {
  /**
   * Fires for every series of its result. The labels of the scrape stay on the result, so that one Prometheus can watch
   * several daemons. A function where a threshold is configured; `nowMs` is the time of the export.
   */
  readonly expr: string | ((config: Config, nowMs: number) => string);
  /** Labels of the result that name the subject, in addition to those of the scrape. */
  readonly labels: readonly string[];
  /** What happened, in one line; may use `{{ $labels.NAME }}` and `{{ $value | printf "%.0f" }}`. */
  readonly summary: string;
  /** What it costs and what to do. */
  readonly description: string;
  /** Where Prometheus and the daemon decide differently. */
  readonly difference?: string;
}

/** Why metrics cannot express the condition of a rule. */
export interface NotInMetrics {
  readonly notInMetrics: string;
}

/** Seconds as PromQL writes them. */
export const seconds = (ms: number): string => String(ms / 1_000);

const units: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** A range or hold in its greatest whole unit: `15m`, `1d`. */
export const range = (ms: number): string => {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
};

/** Limits a condition on endpoints to those of the operator. */
export const ofOwn = (expr: string): string =>
  `${expr} and ignoring (role, network) hub_endpoint_config_info{role="own"}`;

/** Limits a condition on endpoints to those that are not mere references. */
export const notOfReferences = (expr: string): string =>
  `${expr} and ignoring (role, network) hub_endpoint_config_info{role!="reference"}`;

/** Holds while a state set shows one of the members. */
export const isIn = (metric: string, label: string, members: readonly string[]): string =>
  `max without (${label}) (${metric}{${label}=~"${members.join('|')}"}) == 1`;

/** Seconds of chain time from the agreed head to the time in a series with the given labels. */
export const fromHead = (metric: string, labels: readonly string[]): string =>
  `${metric} - ignoring (${labels.join(', ')}) group_left () hub_head_timestamp_seconds`;

/** Seconds of chain time from the time in a series with the given labels to the agreed head. */
export const untilHead = (metric: string, labels: readonly string[]): string =>
  `hub_head_timestamp_seconds - ignoring (${labels.join(', ')}) group_right () ${metric}`;

/** Holds while a counter has increased within a time. */
export const hasIncreased = (metric: string, withinMs: number): string => `increase(${metric}[${range(withinMs)}]) > 0`;

/** How long the first event of a counter fires: a daemon must have run for so long before it. */
const firstEventMs = 600_000;

/**
 * The same for a counter whose series begins with its first event and never pauses: `increase` does not see the first event,
 * but the series is new in a daemon that was there before.
 */
export const hasBegunOrIncreased = (metric: string, labels: readonly string[], withinMs: number): string => {
  const since = range(Math.min(withinMs, firstEventMs));
  const isNew = `${metric} unless ${metric} offset ${since}`;
  const wasThere = `ignoring (${labels.join(', ')}) hubwatch_rule_evaluations_total offset ${since}`;
  return `${hasIncreased(metric, withinMs)} or (${isNew} and ${wasThere})`;
};

/** Adds the node and the provider of a lease to a condition on leases. */
export const withParties = (expr: string): string =>
  `(${expr}) * ignoring (node, provider, denom, renewal_policy) group_left (node, provider) hub_lease_info`;

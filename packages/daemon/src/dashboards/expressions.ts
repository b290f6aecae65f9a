// Parts of PromQL that several panels share. Daemons that watch the same things export the same series, each with its own
// `instance`: what is said about a node, provider or account is taken from one of them (`max by`), never added up.

/** Chain time minus nothing: seconds from the present of the chain until a time that a series gives. */
export const untilTime = (timestamp: string): string =>
  `${timestamp} - on (job, instance) group_left () hub_head_timestamp_seconds`;

/** Names of watched nodes: the alias, or the address of a node that has none. */
const nodeNames =
  '(hub_node_config_info{alias!=""} or label_replace(hub_node_config_info{alias=""}, "alias", "$1", "node", "(.+)"))';

/** Series about nodes with the alias as a label; further labels that are to remain. */
export const ofNode = (expr: string, labels: readonly string[] = []): string =>
  `max by (${['alias', 'node', ...labels].join(', ')}) ((${expr}) * on (job, instance, node) group_left (alias) ${nodeNames})`;

/** Series about leases with the node and provider of the lease. */
export const ofLease = (expr: string, labels: readonly string[] = []): string =>
  `max by (${['lease_id', 'node', 'provider', ...labels].join(', ')}) ((${expr}) * on (job, instance, lease_id) group_left (node, provider) hub_lease_info)`;

/**
 * What a counter gained in a time, to the unit. `increase()` extrapolates, which is wrong for money; series that began within
 * the time count from their first sample, and one that was reset counts as nothing gained.
 */
export const gained = (counter: string, time: string, by: readonly string[]): string =>
  `max by (${by.join(', ')}) (clamp_min(${counter} - (${counter} offset ${time} or min_over_time(${counter}[${time}])), 0))`;

/** Members of a state set as one number: the position of the present member, from 1. */
export const stateNumber = (metric: string, label: string, members: readonly string[]): string =>
  members.map((member, index) => `${index + 1} * ${metric}{${label}="${member}"}`).join(' or ');

/** A number of things, and 0 instead of nothing while a daemon is scraped: without any daemon the result stays empty. */
export const countOrZero = (expr: string): string => `sum(${expr}) or sum(0 * hubwatch_build_info)`;

// PromQL fragments that several panels share. Daemons that watch the same subjects export the same series, each with its own
// `instance`. Values of a node, provider or account are therefore taken from one daemon (`max by`) and never summed.

/** Seconds of chain time from now until the time in a series. */
export const untilTime = (timestamp: string): string =>
  `${timestamp} - on (job, instance) group_left () hub_head_timestamp_seconds`;

/** Seconds of chain time since the time in a series. */
export const sinceTime = (timestamp: string): string => `-(${untilTime(timestamp)})`;

/** Converts a time to milliseconds, as Grafana expects. */
export const asDate = (timestamp: string): string => `1000 * ${timestamp}`;

/** Names of watched subjects: the alias, or the address if there is no alias. */
const namesOf = (info: string, address: string): string =>
  `(${info}{alias!=""} or label_replace(${info}{alias=""}, "alias", "$1", "${address}", "(.+)"))`;

const nodeNames = namesOf('hub_node_config_info', 'node');

const list = (...labels: readonly string[]): string => labels.join(', ');

/** Series of watched nodes, by alias, address and further labels. */
export const ofNode = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('alias', 'node', ...labels)}) ((${expr}) * on (job, instance, node) group_left (alias) ${nodeNames})`;

/** Series of watched accounts, including those of watched nodes, by alias, address and further labels. */
export const ofAccount = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('alias', 'account', ...labels)}) ((${expr}) * on (job, instance, account) group_left (alias) ${namesOf('hub_account_config_info', 'account')})`;

/** Series of providers, by provider and further labels. */
export const ofProvider = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('provider', ...labels)}) (${expr})`;

const withLease = (expr: string): string =>
  `(${expr}) * on (job, instance, lease_id) group_left (node, provider) hub_lease_info`;

/** Series of leases, by lease, node, provider and further labels. */
export const ofLease = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('lease_id', 'node', 'provider', ...labels)}) (${withLease(expr)})`;

/** Series of leases on watched nodes, by lease, alias of the node, provider and further labels. */
export const ofNodeLease = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('lease_id', 'alias', 'provider', ...labels)}) (${withLease(expr)} * on (job, instance, node) group_left (alias) ${nodeNames})`;

/** Series of plans of watched providers, by plan, provider and further labels. */
export const ofPlan = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('plan_id', 'provider', ...labels)}) ((${expr}) * on (job, instance, plan_id) group_left (provider) hub_plan_info)`;

/** Series of subscriptions, by subscription, plan, account and further labels. */
export const ofSubscription = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('subscription_id', 'plan_id', 'account', ...labels)}) ((${expr}) * on (job, instance, subscription_id) group_left (plan_id, account) hub_subscription_info)`;

/** Series of an endpoint, one for each monitor. */
export const ofEndpoint = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('endpoint', 'instance', ...labels)}) (${expr})`;

/** Series of the whole chain, which are equal for every monitor of it. */
export const ofChain = (expr: string, ...labels: readonly string[]): string =>
  labels.length === 0 ? `max(${expr})` : `max by (${list(...labels)}) (${expr})`;

// Exact increase of counters over a time. `increase()` extrapolates, which is wrong for money, and misses the first count of a
// series that starts with it.

const since = (counter: string, base: string): string => `clamp_min(${counter} - (${base}), 0)`;

/**
 * Increase of a ledger counter, which survives restarts and starts with its first event. If the monitor was already scraped at
 * the start of the time, a counter that was absent then counts from 0.
 */
export const earned = (counter: string, time: string): string =>
  since(
    counter,
    `${counter} offset ${time} or (0 * ${counter} and on (job, instance) hubwatch_build_info offset ${time}) or min_over_time(${counter}[${time}])`,
  );

/** Increase of a counter of changes on the chain. It survives restarts and is absent while the chain cannot be read. */
export const changesWithin = (counter: string, time: string): string =>
  since(counter, `${counter} offset ${time} or min_over_time(${counter}[${time}])`);

/** Lengths in seconds of the supported times, for use in expressions. */
const secondsOf = { $__range: '$__range_s', '1h': '3600', '1d': '86400' } as const;

/** Increase of a process counter; after a restart within the time, the count since the restart. */
export const countWithin = (counter: string, time: keyof typeof secondsOf): string =>
  since(
    counter,
    `(${counter} offset ${time} and on (job, instance) process_start_time_seconds < time() - ${secondsOf[time]}) or 0 * ${counter}`,
  );

/** Converts a state set to a number: the position of the current state, from 1. */
export const stateNumber = (metric: string, label: string, members: readonly string[]): string =>
  members.map((member, index) => `${index + 1} * ${metric}{${label}="${member}"}`).join(' or ');

/** A count that is 0 instead of empty while a monitor is scraped. Without any monitor the result is empty. */
export const countOrZero = (expr: string): string => `sum(${expr}) or sum(0 * hubwatch_build_info)`;

/** Quantile of a histogram over the scrapes of one step, by the given labels. */
export const quantile = (share: number, histogram: string, ...labels: readonly string[]): string =>
  `histogram_quantile(${share}, sum by (${list('le', ...labels)}) (rate(${histogram}_bucket[$__rate_interval])))`;

/** Rate of a counter, by the given labels. */
export const rateOf = (counter: string, ...labels: readonly string[]): string =>
  `sum by (${list(...labels)}) (rate(${counter}[$__rate_interval]))`;

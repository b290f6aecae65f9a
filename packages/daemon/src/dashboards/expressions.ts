// Parts of PromQL that several panels share. Daemons that watch the same things export the same series, each with its own
// `instance`: what is said about a node, provider or account is taken from one of them (`max by`), never added up.

/** Seconds of chain time from the present of the chain until a time that a series gives. */
export const untilTime = (timestamp: string): string =>
  `${timestamp} - on (job, instance) group_left () hub_head_timestamp_seconds`;

/** Seconds of chain time since a time that a series gives. */
export const sinceTime = (timestamp: string): string => `-(${untilTime(timestamp)})`;

/** A time as Grafana takes it. */
export const asDate = (timestamp: string): string => `1000 * ${timestamp}`;

/** Names of watched things: the alias, or the address of one that has none. */
const namesOf = (info: string, address: string): string =>
  `(${info}{alias!=""} or label_replace(${info}{alias=""}, "alias", "$1", "${address}", "(.+)"))`;

const nodeNames = namesOf('hub_node_config_info', 'node');

const list = (...labels: readonly string[]): string => labels.join(', ');

/** Series about watched nodes, by alias, address and further labels. */
export const ofNode = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('alias', 'node', ...labels)}) ((${expr}) * on (job, instance, node) group_left (alias) ${nodeNames})`;

/** Series about watched accounts, those of watched nodes included, by alias, address and further labels. */
export const ofAccount = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('alias', 'account', ...labels)}) ((${expr}) * on (job, instance, account) group_left (alias) ${namesOf('hub_account_config_info', 'account')})`;

/** Series about providers, by provider and further labels. */
export const ofProvider = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('provider', ...labels)}) (${expr})`;

const withLease = (expr: string): string =>
  `(${expr}) * on (job, instance, lease_id) group_left (node, provider) hub_lease_info`;

/** Series about leases, by lease, node, provider and further labels. */
export const ofLease = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('lease_id', 'node', 'provider', ...labels)}) (${withLease(expr)})`;

/** Series about leases on watched nodes, by lease, alias of the node, provider and further labels. */
export const ofNodeLease = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('lease_id', 'alias', 'provider', ...labels)}) (${withLease(expr)} * on (job, instance, node) group_left (alias) ${nodeNames})`;

/** Series about plans of watched providers, by plan, provider and further labels. */
export const ofPlan = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('plan_id', 'provider', ...labels)}) ((${expr}) * on (job, instance, plan_id) group_left (provider) hub_plan_info)`;

/** Series about subscriptions, by subscription, plan, account and further labels. */
export const ofSubscription = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('subscription_id', 'plan_id', 'account', ...labels)}) ((${expr}) * on (job, instance, subscription_id) group_left (plan_id, account) hub_subscription_info)`;

/** Series about an endpoint as each monitor sees it. */
export const ofEndpoint = (expr: string, ...labels: readonly string[]): string =>
  `max by (${list('endpoint', 'instance', ...labels)}) (${expr})`;

/** Facts about the whole chain: every monitor of it sees the same. */
export const ofChain = (expr: string, ...labels: readonly string[]): string =>
  labels.length === 0 ? `max(${expr})` : `max by (${list(...labels)}) (${expr})`;

// What counters gained in a time, to the unit: `increase()` extrapolates, which is wrong for money, and misses the first count of
// a series that begins with it.

const since = (counter: string, base: string): string => `clamp_min(${counter} - (${base}), 0)`;

/**
 * Gain of a counter of the ledger, which survives restarts and begins with its first event: if its monitor was scraped at the
 * beginning of the time, a counter that was absent then counts as a whole.
 */
export const earned = (counter: string, time: string): string =>
  since(
    counter,
    `${counter} offset ${time} or (0 * ${counter} and on (job, instance) hubwatch_build_info offset ${time}) or min_over_time(${counter}[${time}])`,
  );

/** Gain of a counter of changes seen on the chain, which survives restarts and is absent while nothing can be read. */
export const changesWithin = (counter: string, time: string): string =>
  since(counter, `${counter} offset ${time} or min_over_time(${counter}[${time}])`);

/** Times with a length in seconds that expressions can compute with. */
const secondsOf = { $__range: '$__range_s', '1h': '3600', '1d': '86400' } as const;

/** Gain of a counter of the process; after a restart within the time, the count since then. */
export const countWithin = (counter: string, time: keyof typeof secondsOf): string =>
  since(
    counter,
    `(${counter} offset ${time} and on (job, instance) process_start_time_seconds < time() - ${secondsOf[time]}) or 0 * ${counter}`,
  );

/** Members of a state set as one number: the position of the present member, from 1. */
export const stateNumber = (metric: string, label: string, members: readonly string[]): string =>
  members.map((member, index) => `${index + 1} * ${metric}{${label}="${member}"}`).join(' or ');

/** A number of things, and 0 instead of nothing while a monitor is scraped: without any monitor the result stays empty. */
export const countOrZero = (expr: string): string => `sum(${expr}) or sum(0 * hubwatch_build_info)`;

/** Quantile of a histogram over the scrapes of a step, by these labels. */
export const quantile = (share: number, histogram: string, ...labels: readonly string[]): string =>
  `histogram_quantile(${share}, sum by (${list('le', ...labels)}) (rate(${histogram}_bucket[$__rate_interval])))`;

/** Rate of a counter, by these labels. */
export const rateOf = (counter: string, ...labels: readonly string[]): string =>
  `sum by (${list(...labels)}) (rate(${counter}[$__rate_interval]))`;

/** Individual stages of the daemon, for proofs and benchmarks that run them on their own clock. Not a stable API. */
export { depositTruth } from './checks/account/deposit-truth.js';
export { feeGrants } from './checks/account/fee-grants.js';
export { type HeartbeatFee, readHeartbeatFee } from './checks/account/heartbeat-fee.js';
export { oraclePrices } from './checks/chain/oracle-prices.js';
export { parameters } from './checks/chain/parameters.js';
export { effectWords } from './checks/chain/proposal-effects.js';
export { proposals } from './checks/chain/proposals.js';
export { upgradeClock } from './checks/chain/upgrade-clock.js';
export { agreement, type AgreementReading, networkTarget } from './checks/endpoint/agreement.js';
export { endpointStatus } from './checks/endpoint/endpoint-status.js';
export { accountSubscriptions } from './checks/subscription/account-subscriptions.js';
export type { SubscriptionsReading } from './checks/subscription/subscriptions-reading.js';
export { type PlansReading, watchedPlans } from './checks/plan/watched-plans.js';
export { type ProviderReading, watchedProviders } from './checks/provider/watched-providers.js';
export { leaseRenewals, type RenewalsReading, renewalsTarget } from './checks/lease/lease-renewals.js';
export { nodeLeases } from './checks/node/node-leases.js';
export { watchedNodes } from './checks/node/watched-nodes.js';
export { parseConfig } from './config/load.js';
export { configSchema } from './config/schema.js';
export { connectTo } from './endpoints/connection.js';
export { createEndpoint, type EndpointConnection } from './endpoints/endpoint.js';
export { createPool } from './endpoints/pool.js';
export { createFailureLog, createLogger, type FailureLog } from './log.js';
export { createObservations } from './observations/observations.js';
export { pollJob } from './observations/poller.js';
export { createOwnMetrics } from './own-metrics.js';
export { heartbeatLate } from './rules/node/heartbeat-late.js';
export type { RuleView } from './rules/rule.js';
export { type Change, createChangeHistory } from './store/change-history.js';
export { createHeartbeatHistory } from './store/heartbeat-history.js';
export { createLeaseRecords } from './store/lease-records.js';
export { createSessionMemory } from './store/session-memory.js';
export { noteLeases } from './checks/lease/note-leases.js';
export { openStore } from './store/store.js';
export { isCronDue } from './sweeps/sweep-times.js';
export { createLedgerTotals } from './ledger/totals.js';
export { type TrustedPool as EndpointPool } from './endpoints/pool.js';
export { probeState } from './endpoints/state-probe.js';
export {
  coldQueries,
  isExact,
  lookAtBound,
  type StateBracket,
  type StateProbe,
  warmQueries,
} from './endpoints/state-search.js';
export { leaseTermsOf } from './ledger/expected-hours.js';
export type { LedgerRow } from './ledger/ledger-row.js';
export { createLedgerStore } from './ledger/ledger-store.js';
export { sumLedger } from './ledger/ledger-sums.js';
export { backfill, type BackfillSource, type BackfillSummary } from './ledger/backfill.js';
export { feeOwners } from './ledger/fee-owners.js';
export { hubEntries } from './ledger/hub-events.js';
export { createAlertBook } from './alerts/alert-book.js';
export { createAlertStore } from './alerts/alert-store.js';
export { createEvaluation } from './alerts/evaluation.js';
export { createClosers } from './closers.js';
export { startHeaderFeed } from './endpoints/header-feed.js';
export { rules } from './rules/index.js';
export { sessionsStale } from './rules/node/sessions-stale.js';
export type { Rule } from './rules/rule.js';
export { startAwakeTime } from './schedule/awake-time.js';
export { createWatching } from './watching.js';
export { demoClock } from './clock.js';
export { configuredChannels } from './notifiers/index.js';
export { quietAt } from './alerts/quiet.js';
export { createSilenceStore } from './alerts/silences.js';
export { createOutboxStore } from './outbox/outbox-store.js';
export { notifyingSettings } from './alerts/notifying.js';
export { createAlerting } from './alerting.js';
export { StoreConnection as Connection } from './store/connection.js';
export { migrations } from './store/migrations.js';
export { heartbeatFees, payerOf } from './checks/account/heartbeat-fees.js';
export { watchedAccounts } from './checks/account/watched-accounts.js';
export type { Check, Outcome, Target } from './checks/check.js';
export { checks } from './checks/index.js';
export { endpointSurface } from './checks/endpoint/endpoint-surface.js';
export { endpointVersion } from './checks/endpoint/endpoint-version.js';
export { historyBounds } from './checks/endpoint/history-bounds.js';
export { retention } from './checks/endpoint/retention.js';
export { nodeReach } from './checks/node/reach/node-reach.js';
export { nodeSessions } from './checks/node/node-sessions.js';
export type { Verdict } from './checks/verdict.js';
export { type EndpointFacts, judgeEndpoints } from './endpoints/judgement.js';
export { chainFamilies } from './metrics/families.js';
export { metricsPage } from './metrics/page.js';
export { exprOf, type PrometheusAlert, promqlTokens, ruleAlerts } from './prometheus/index.js';
export type { LedgerView } from './ledger/ledger.js';

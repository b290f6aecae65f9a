/**
 * Predicts the behaviour of the chain from records alone: pure functions of the state rules, for checks, reports and other
 * users.
 */
export {
  forecastLease,
  type LeaseForecast,
  type LeaseOutlook,
  lookAtLease,
} from './lease-renewal.js';
export {
  type DuePayment,
  duePayments,
  hoursIncome,
  type PlanTerms,
  subscriptionsIncome,
} from './expected-income.js';
export { fullPurse, type OpenMatter, type Purse } from './purse.js';
export { type ExpectedIncome, forecastTogether, type LeaseFacts, lookAtTogether } from './renewal-timeline.js';
export { leaseTerms, type LeaseTerms, refundAt } from './lease-terms.js';
export { type PriceRefusal, priceRefusal } from './price-minimum.js';
export { type RenewalBlocker, renewalBlockers } from './renewal-blockers.js';
export type { Precondition, RenewalFacts } from './renewal-preconditions.js';
export { allocationLeft, sessionCost, type SessionCost, sessionDeposit } from './session-cost.js';
export { splitPayment, type SplitPayment } from './share.js';
export {
  forecastSubscription,
  forecastSubscriptions,
  type RefusedSubscription,
  type SubscriptionFacts,
  type SubscriptionForecast,
} from './subscription-renewal.js';

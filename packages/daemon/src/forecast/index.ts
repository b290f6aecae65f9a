/** What the chain will do, told of records alone: pure functions of the state rules, for checks, reports and others. */
export {
  forecastLease,
  forecastTogether,
  type LeaseForecast,
  type RefusedRenewal,
  type RenewalFacts,
} from './lease-renewal.js';
export { leaseTerms, type LeaseTerms } from './lease-terms.js';
export { sessionCost, type SessionCost } from './session-cost.js';
export { splitPayment, type SplitPayment } from './share.js';
export {
  forecastSubscription,
  type RefusedSubscription,
  type SubscriptionFacts,
  type SubscriptionForecast,
} from './subscription-renewal.js';

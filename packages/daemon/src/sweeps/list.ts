// All lists that are swept. A new one is one file and one line here.
export { deposits } from './collections/deposits.js';
export { leases } from './collections/leases.js';
export { nodes } from './collections/nodes.js';
export { plans } from './collections/plans.js';
export { providers } from './collections/providers.js';
export { sessions } from './collections/sessions.js';
export { subscriptions } from './collections/subscriptions.js';
export { swaps } from './collections/swaps.js';

// Every check there is. A new one is one file and one line here.
export { oraclePrices } from './chain/oracle-prices.js';
export { parameters } from './chain/parameters.js';
export { proposals } from './chain/proposals.js';
export { upgradeClock } from './chain/upgrade-clock.js';
export { agreement } from './endpoint/agreement.js';
export { endpointStatus } from './endpoint/endpoint-status.js';
export { endpointSurface } from './endpoint/endpoint-surface.js';
export { endpointVersion } from './endpoint/endpoint-version.js';
export { retention } from './endpoint/retention.js';
export { leaseRenewals } from './lease/lease-renewals.js';
export { networkNodes } from './node/network-nodes.js';
export { nodeLeases } from './node/node-leases.js';
export { nodeSessions } from './node/node-sessions.js';
export { watchedNodes } from './node/watched-nodes.js';
export { watchedProviders } from './provider/watched-providers.js';

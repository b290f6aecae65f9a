// Every check there is. A new one is one file and one line here.
export { agreement } from './agreement.js';
export { endpointStatus } from './endpoint-status.js';
export { endpointSurface } from './endpoint-surface.js';
export { endpointVersion } from './endpoint-version.js';
export { networkNodes } from './network-nodes.js';
export { nodeLeases } from './node-leases.js';
export { nodeSessions } from './node-sessions.js';
export { retention } from './retention.js';
export { watchedNodes } from './watched-nodes.js';
export { watchedProviders } from './watched-providers.js';

import type { Check } from './check.js';
import { endpointStatus } from './endpoint-status.js';
import { endpointVersion } from './endpoint-version.js';
import { networkNodes } from './network-nodes.js';
import { nodeLeases } from './node-leases.js';
import { nodeSessions } from './node-sessions.js';
import { watchedNodes } from './watched-nodes.js';
import { watchedProviders } from './watched-providers.js';

/** Every check there is. The first tells the pool its heads, so it stands first. */
export const checks: readonly Check[] = [
  endpointStatus,
  endpointVersion,
  watchedNodes,
  nodeLeases,
  nodeSessions,
  watchedProviders,
  networkNodes,
];

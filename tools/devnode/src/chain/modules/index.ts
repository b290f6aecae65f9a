import type { QueryHandler } from '../query-handler.js';
import { leaseHandlers } from './lease.js';
import { nodeHandlers } from './node.js';
import { sessionHandlers } from './session.js';

/** Every query that a recorded state can answer. */
export const queryHandlers: readonly QueryHandler[] = [...nodeHandlers, ...leaseHandlers, ...sessionHandlers];

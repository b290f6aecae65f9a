export { type ConnectPoolOptions, connectPool, type PooledConnection, type PoolEndpoint } from './connect-pool.js';
export { EndpointPool } from './pool.js';
export type { Lane, PoolEvent } from './pool-event.js';
export type { AttemptLimits, PoolMember, PoolOptions, Reading, ReadOptions } from './pool-options.js';

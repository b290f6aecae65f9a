export { type ConnectPoolOptions, connectPool, type PooledConnection, type PoolEndpoint } from './connect-pool.js';
export { freshestFirst } from './freshest-first.js';
export { OlderAnswerError } from './older-answer.js';
export { EndpointPool } from './pool.js';
export type { Lane, PoolEvent } from './pool-event.js';
export type {
  AttemptLimits,
  PoolMember,
  PoolOptions,
  PoolStrategy,
  Reading,
  ReadOptions,
  SeenMember,
} from './pool-options.js';

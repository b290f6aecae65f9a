/** A hub v12 node that replays recorded chains, for demonstrations and tests. */
export { chainNowMs, type DemoClock } from './chain/demo-clock.js';
export type { CorsOptions, DevnodeOptions, MovingOptions, NodeSettings, Ports, RecordedOptions } from './options.js';
export type { UpgradePlan } from './chain/bounds.js';
export { type Entry, idKey, lengthKey, paginate, paginateDefective } from './chain/paging.js';
export type { SentTx, TxScript, TxVerdict } from './chain/mempool.js';
export { byStatus, statusHit, withStatusKey } from './chain/modules/status-filter.js';
export { QueryError } from './chain/query-error.js';
export { on, type QueryHandler } from './chain/query-handler.js';
export type { Held } from './chain/retention.js';
export { type HubState, StateHistory } from './chain/state-history.js';
export { chainFolder, recordingsFolder } from './recordings-folder.js';
export { type Devnode, startDevnode } from './start.js';

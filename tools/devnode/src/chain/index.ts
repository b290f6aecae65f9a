/** Recorded chains as data: blocks with their events, and the state after each block. */
export { accountOf } from './address.js';
export { BlockStream, type RecordedBlock, type RecordedEvent, type RecordedTx } from './block-stream.js';
export { type HubState, StateHistory, type StateRecord } from './state-history.js';

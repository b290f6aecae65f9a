export { type BroadcastOptions, type BroadcastOutcome, broadcastAndConfirm, type EventSource } from './broadcast.js';
export { findTx, type LookupRoute, type TxInBlock } from './confirm.js';
export { type BroadcastMode, type BroadcastRoute, type Rejection, type Submission, submit } from './submit.js';

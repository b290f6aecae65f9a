import type { RpcMethod } from './params.js';

/** Methods that hand something over: asking again is not the same as asking once. */
export const sendingMethods: ReadonlySet<RpcMethod> = new Set<RpcMethod>([
  'broadcast_tx_async',
  'broadcast_tx_sync',
  'broadcast_tx_commit',
  'broadcast_evidence',
  // It moves the sequence of the admission state.
  'check_tx',
]);

import type { RpcMethod } from './params.js';

/** Methods that submit something, so a retry is not idempotent. */
export const sendingMethods: ReadonlySet<RpcMethod> = new Set<RpcMethod>([
  'broadcast_tx_async',
  'broadcast_tx_sync',
  'broadcast_tx_commit',
  'broadcast_evidence',
  // It advances the sequence of the admission state.
  'check_tx',
]);

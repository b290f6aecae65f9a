import type { Naming } from '@hubwatch/types/runtime/naming';
import type { RpcMethod } from './params.js';
import { readBlockResult, readCommitResult, readHeaderResult, readValidators } from './read-block.js';
import { readAbciInfo, readMempool, readNetInfo, readStatus } from './read-status.js';
import { readAbciQuery, readBlockResults, readBroadcast, readTx, readTxSearch } from './read-tx.js';
import type { RpcResults } from './results.js';

type Readers = { readonly [M in keyof RpcResults]: (json: unknown, naming: Naming) => RpcResults[M] };

const readers: Readers = {
  status: readStatus,
  net_info: readNetInfo,
  block: readBlockResult,
  block_by_hash: readBlockResult,
  block_results: readBlockResults,
  header: readHeaderResult,
  header_by_hash: readHeaderResult,
  commit: readCommitResult,
  tx: readTx,
  tx_search: readTxSearch,
  validators: readValidators,
  abci_info: readAbciInfo,
  abci_query: readAbciQuery,
  unconfirmed_txs: readMempool,
  num_unconfirmed_txs: readMempool,
  broadcast_tx_async: readBroadcast,
  broadcast_tx_sync: readBroadcast,
};

/**
 * Result of a method in the form that callers see; JSON as it is for methods without one.
 *
 * @throws CodecError with the member that does not fit
 */
export function readRpcResult(method: RpcMethod, json: unknown, naming: Naming): unknown {
  const reader = Object.hasOwn(readers, method) ? readers[method as keyof RpcResults] : undefined;
  return reader === undefined ? json : reader(json, naming);
}

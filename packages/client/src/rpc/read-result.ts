import type { Naming } from '@hubwatch/types/runtime/naming';
import type { RpcMethod } from './params.js';
import {
  readBlockchain,
  readBlockResult,
  readBlockSearch,
  readCommitResult,
  readHeaderResult,
  readValidators,
} from './read-block.js';
import { readGenesis, readGenesisChunk } from './read-genesis.js';
import { readConsensusParamsResult, readConsensusState } from './read-consensus.js';
import { readAbciInfo, readMempool, readNetInfo, readStatus } from './read-status.js';
import { object } from './checks.js';
import { readBroadcast, readBroadcastCommit, readCheckTx, readEvidenceHash } from './read-broadcast.js';
import { readAbciQuery, readBlockResults, readTx, readTxSearch } from './read-tx.js';
import type { RpcResults } from './results.js';

type Readers = { readonly [M in RpcMethod]: (json: unknown, naming: Naming) => RpcResults[M] };

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
  broadcast_tx_commit: readBroadcastCommit,
  broadcast_evidence: readEvidenceHash,
  check_tx: readCheckTx,
  block_search: readBlockSearch,
  blockchain: readBlockchain,
  consensus_params: readConsensusParamsResult,
  consensus_state: readConsensusState,
  dump_consensus_state: readConsensusState,
  genesis: readGenesis,
  genesis_chunked: readGenesisChunk,
  health: object,
};

/**
 * Result of a method in its public form.
 *
 * @throws CodecError with the member that does not fit
 */
export function readRpcResult(method: RpcMethod, json: unknown, naming: Naming): unknown {
  return readers[method](json, naming);
}

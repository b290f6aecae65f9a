import type { Timestamp } from '@hubwatch/types/runtime/values';
import type { RpcMethod } from './params.js';

/**
 * Decoded results of the consensus RPC. Heights, counts and powers are `bigint`, times have nanoseconds (zero time:
 * `undefined`), hashes are upper-case hex text, raw bytes are `Uint8Array`, absent lists are empty, type tags are
 * neutral.
 */

export interface PublicKey {
  /** Neutral type tag, `bft/PubKeyEd25519`. */
  readonly type: string;
  readonly value: Uint8Array;
}

export interface NodeInfo {
  readonly id: string;
  /** Chain id. */
  readonly network: string;
  readonly version: string;
  readonly moniker: string;
  readonly listenAddress: string;
  /** `on` or `off`. */
  readonly txIndex: string;
}

export interface SyncInfo {
  readonly latestBlockHash: string;
  readonly latestAppHash: string;
  readonly latestBlockHeight: bigint;
  readonly latestBlockTime: Timestamp | undefined;
  readonly earliestBlockHash: string;
  readonly earliestAppHash: string;
  readonly earliestBlockHeight: bigint;
  readonly earliestBlockTime: Timestamp | undefined;
  readonly catchingUp: boolean;
}

/** Response of `status`. */
export interface StatusResult {
  readonly nodeInfo: NodeInfo;
  readonly syncInfo: SyncInfo;
  readonly validatorInfo: { readonly address: string; readonly publicKey: PublicKey; readonly votingPower: bigint };
}

export interface BlockId {
  readonly hash: string;
  readonly parts: { readonly total: number; readonly hash: string };
}

export interface Header {
  readonly chainId: string;
  readonly height: bigint;
  readonly time: Timestamp | undefined;
  readonly blockVersion: bigint;
  readonly lastBlockId: BlockId;
  readonly lastCommitHash: string;
  readonly dataHash: string;
  readonly validatorsHash: string;
  readonly nextValidatorsHash: string;
  readonly consensusHash: string;
  readonly appHash: string;
  readonly lastResultsHash: string;
  readonly evidenceHash: string;
  readonly proposerAddress: string;
}

export interface CommitSignature {
  readonly blockIdFlag: number;
  readonly validatorAddress: string;
  readonly timestamp: Timestamp | undefined;
  readonly signature: Uint8Array;
}

export interface Commit {
  readonly height: bigint;
  readonly round: number;
  readonly blockId: BlockId;
  readonly signatures: readonly CommitSignature[];
}

export interface Block {
  readonly header: Header;
  readonly txs: readonly Uint8Array[];
  /** Misbehaviour in the form of the node, with neutral type tags. */
  readonly evidence: readonly unknown[];
  readonly lastCommit: Commit | undefined;
}

/** Response of `block` and `block_by_hash`; `block` is `undefined` if the node does not have it. */
export interface BlockResult {
  readonly blockId: BlockId;
  readonly block: Block | undefined;
}

export interface EventAttribute {
  readonly key: string;
  /** As on the wire, with neutral names: values of typed events are JSON texts including their quotes. */
  readonly value: string;
  readonly index: boolean;
}

/** An event; `type` is neutral. */
export interface Event {
  readonly type: string;
  readonly attributes: readonly EventAttribute[];
}

/** Result of an executed transaction. */
export interface TxResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly info: string;
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly Event[];
}

export interface ValidatorUpdate {
  /** `ed25519` or `secp256k1`; empty if the node returns no key. */
  readonly keyKind: string;
  readonly publicKey: Uint8Array;
  /** 0 removes the validator. */
  readonly power: bigint;
}

/** Response of `block_results` from engine 0.37 (begin and end of block) or 0.38 (one list). */
export interface BlockResultsResult {
  readonly height: bigint;
  readonly txsResults: readonly TxResult[];
  readonly beginBlockEvents: readonly Event[];
  readonly endBlockEvents: readonly Event[];
  readonly finalizeBlockEvents: readonly Event[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  /** Only the parameters that change with this block. */
  readonly paramUpdates: ConsensusParams | undefined;
  /** Hash of the state after this block; engine 0.38 only, and empty in records of 0.37. */
  readonly appHash: Uint8Array | undefined;
}

/** Consensus parameters; a member is `undefined` if the response omits it. */
export interface ConsensusParams {
  readonly block: { readonly maxBytes: bigint | undefined; readonly maxGas: bigint | undefined } | undefined;
  readonly evidence:
    | {
        readonly maxAgeBlocks: bigint | undefined;
        readonly maxAgeNanos: bigint | undefined;
        readonly maxBytes: bigint | undefined;
      }
    | undefined;
  readonly validator: { readonly publicKeyTypes: readonly string[] } | undefined;
  readonly version: { readonly app: bigint | undefined } | undefined;
  /** Engine 0.38 only. */
  readonly abci: { readonly voteExtensionsEnableHeight: bigint | undefined } | undefined;
}

/** Response of `consensus_params`. */
export interface ConsensusParamsResult {
  readonly blockHeight: bigint;
  readonly params: ConsensusParams;
}

/** Response of `consensus_state` and `dump_consensus_state`; only these three members of `state` are stable. */
export interface ConsensusStateResult {
  readonly height: bigint;
  readonly round: number;
  readonly step: number;
  readonly state: unknown;
}

export interface BlockMeta {
  readonly blockId: BlockId;
  readonly size: bigint;
  readonly header: Header;
  readonly txCount: bigint;
}

/** Response of `blockchain`, latest block first. */
export interface BlockchainResult {
  readonly lastHeight: bigint;
  readonly metas: readonly BlockMeta[];
}

export interface BlockSearchResult {
  readonly blocks: readonly BlockResult[];
  readonly totalCount: bigint;
}

export interface GenesisResult {
  readonly time: Timestamp | undefined;
  readonly chainId: string;
  readonly initialHeight: bigint;
  readonly params: ConsensusParams | undefined;
  readonly validators: readonly {
    readonly address: string;
    readonly publicKey: PublicKey;
    readonly power: bigint;
    readonly name: string;
  }[];
  readonly appHash: string;
  /** Genesis of the application, with wire names. */
  readonly appState: unknown;
}

/** A slice of the genesis document as JSON text; `chunk` counts from 0. */
export interface GenesisChunkResult {
  readonly chunk: bigint;
  readonly total: bigint;
  readonly data: Uint8Array;
}

/** Response of `header` and `header_by_hash`. */
export interface HeaderResult {
  readonly header: Header | undefined;
}

/** Response of `commit`; `canonical` is false for the latest height only. */
export interface CommitResult {
  readonly header: Header;
  readonly commit: Commit;
  readonly canonical: boolean;
}

export interface TxProof {
  readonly rootHash: string;
  readonly data: Uint8Array;
  readonly proof: {
    readonly total: bigint;
    readonly index: bigint;
    readonly leafHash: Uint8Array;
    readonly aunts: readonly Uint8Array[];
  };
}

/** Response of `tx`, and item of `tx_search`. */
export interface TxByHashResult {
  readonly hash: string;
  readonly height: bigint;
  readonly index: number;
  readonly result: TxResult;
  readonly tx: Uint8Array;
  /** Set if it was requested. */
  readonly proof: TxProof | undefined;
}

export interface TxSearchResult {
  readonly txs: readonly TxByHashResult[];
  readonly totalCount: bigint;
}

export interface Validator {
  readonly address: string;
  readonly publicKey: PublicKey;
  readonly votingPower: bigint;
  readonly proposerPriority: bigint;
}

export interface ValidatorsResult {
  readonly blockHeight: bigint;
  readonly validators: readonly Validator[];
  readonly count: bigint;
  readonly total: bigint;
}

export interface AbciInfoResult {
  readonly data: string;
  readonly version: string;
  readonly lastBlockHeight: bigint;
  readonly lastBlockAppHash: Uint8Array;
}

export interface AbciQueryResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  /** Empty if the record is absent, and also if the state is absent: the log is then `version does not exist`. */
  readonly value: Uint8Array;
  readonly key: Uint8Array;
  /** Merkle proof if it was requested, from the record up. */
  readonly proofOps: readonly { readonly type: string; readonly key: Uint8Array; readonly data: Uint8Array }[];
  /** Height of the state that was read; 0 if the request failed before a state was opened. */
  readonly height: bigint;
}

export interface NetInfoResult {
  readonly listening: boolean;
  readonly peerCount: number;
  readonly peers: readonly { readonly nodeInfo: NodeInfo; readonly isOutbound: boolean; readonly remoteIp: string }[];
}

/** Response of `unconfirmed_txs` and `num_unconfirmed_txs`. */
export interface MempoolResult {
  /** Transactions in this response. */
  readonly count: bigint;
  /** Transactions in the mempool. */
  readonly total: bigint;
  readonly totalBytes: bigint;
  readonly txs: readonly Uint8Array[];
}

/** Outcome of the admission test of a transaction. */
export interface CheckTxResult extends TxResult {
  readonly sender: string;
  readonly priority: bigint;
  readonly mempoolError: string;
}

/** Response of `broadcast_tx_commit` from engine 0.37 or 0.38. */
export interface BroadcastCommitResult {
  readonly checkTx: CheckTxResult;
  readonly txResult: TxResult;
  readonly hash: string;
  /** Height of the block with the transaction; 0 if it was not admitted. */
  readonly height: bigint;
}

/** Response of `broadcast_tx_sync` and `broadcast_tx_async`; code 0 of the latter has no meaning. */
export interface BroadcastResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly hash: string;
}

/** Decoded results by method. */
export interface RpcResults {
  readonly status: StatusResult;
  readonly net_info: NetInfoResult;
  readonly block: BlockResult;
  readonly block_by_hash: BlockResult;
  readonly block_results: BlockResultsResult;
  readonly header: HeaderResult;
  readonly header_by_hash: HeaderResult;
  readonly commit: CommitResult;
  readonly tx: TxByHashResult;
  readonly tx_search: TxSearchResult;
  readonly validators: ValidatorsResult;
  readonly abci_info: AbciInfoResult;
  readonly abci_query: AbciQueryResult;
  readonly unconfirmed_txs: MempoolResult;
  readonly num_unconfirmed_txs: MempoolResult;
  readonly broadcast_tx_async: BroadcastResult;
  readonly broadcast_tx_sync: BroadcastResult;
  readonly broadcast_tx_commit: BroadcastCommitResult;
  readonly broadcast_evidence: { readonly hash: Uint8Array };
  readonly check_tx: CheckTxResult;
  readonly block_search: BlockSearchResult;
  readonly blockchain: BlockchainResult;
  readonly consensus_params: ConsensusParamsResult;
  readonly consensus_state: ConsensusStateResult;
  readonly dump_consensus_state: ConsensusStateResult;
  readonly genesis: GenesisResult;
  readonly genesis_chunked: GenesisChunkResult;
  readonly health: object;
}

/** Decoded result of a method. */
export type RpcResult<M extends RpcMethod> = RpcResults[M];

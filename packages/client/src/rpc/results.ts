import type { Timestamp } from '@hubwatch/types/runtime/values';

/**
 * What callers see of the consensus RPC: heights, counts and powers as `bigint`, times with nanoseconds (zero time:
 * `undefined`), hashes as upper-case hex text, raw bytes as `Uint8Array`, absent lists as empty ones, type tags neutral.
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

/** Answer of `status`. */
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
  /** Misbehaviour as the node gives it. */
  readonly evidence: readonly unknown[];
  readonly lastCommit: Commit | undefined;
}

/** Answer of `block` and `block_by_hash`; `block` is `undefined` where the node has none. */
export interface BlockResult {
  readonly blockId: BlockId;
  readonly block: Block | undefined;
}

export interface EventAttribute {
  readonly key: string;
  /** Text as on the wire: values of typed events are JSON texts with their own quotes. */
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
  /** `ed25519` or `secp256k1`. */
  readonly keyKind: string;
  readonly publicKey: Uint8Array;
  /** 0 removes the validator. */
  readonly power: bigint;
}

/** Answer of `block_results`, of engine 0.37 (begin and end of block) and 0.38 (one list). */
export interface BlockResultsResult {
  readonly height: bigint;
  readonly txsResults: readonly TxResult[];
  readonly beginBlockEvents: readonly Event[];
  readonly endBlockEvents: readonly Event[];
  readonly finalizeBlockEvents: readonly Event[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
}

/** Answer of `header` and `header_by_hash`. */
export interface HeaderResult {
  readonly header: Header | undefined;
}

/** Answer of `commit`; `canonical` is false for the newest height only. */
export interface CommitResult {
  readonly header: Header;
  readonly commit: Commit;
  readonly canonical: boolean;
}

/** Answer of `tx`, and item of `tx_search`. */
export interface TxByHashResult {
  readonly hash: string;
  readonly height: bigint;
  readonly index: number;
  readonly result: TxResult;
  readonly tx: Uint8Array;
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
  readonly value: Uint8Array;
  /** Height that was read; 0 where the request failed before a state was opened. */
  readonly height: bigint;
}

export interface NetInfoResult {
  readonly listening: boolean;
  readonly peerCount: number;
  readonly peers: readonly { readonly nodeInfo: NodeInfo; readonly isOutbound: boolean; readonly remoteIp: string }[];
}

/** Answer of `unconfirmed_txs` and `num_unconfirmed_txs`. */
export interface MempoolResult {
  /** Transactions in this answer. */
  readonly count: bigint;
  /** Transactions in the pool. */
  readonly total: bigint;
  readonly totalBytes: bigint;
  readonly txs: readonly Uint8Array[];
}

export interface BroadcastResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly hash: string;
}

/** Decoded answers by method; a method that is not here answers its JSON as the node gives it. */
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
}

import type { Block as EngineBlock } from '@hubwatch/types/gen/forms/bft/types/block';
import type { BlockID, Commit } from '@hubwatch/types/gen/forms/bft/types/types';
import type { GetBlockByHeightResponse, Validator } from '@hubwatch/types/gen/forms/stack/base/bft/v1beta1/query';
import type { Block } from '@hubwatch/types/gen/forms/stack/base/bft/v1beta1/types';
import {
  getBlockByHeight,
  getLatestBlock,
  getLatestValidatorSet,
  getNodeInfo,
  getSyncing,
  getValidatorSetByHeight,
} from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { config } from '@hubwatch/types/gen/methods/stack/base/node/v1beta1/service';
import { readTimestamp } from '@hubwatch/types/runtime/time';
import { encodeBech32 } from '../bech32.js';
import type { BlockId, BlockView, CommitJson } from '../block-view.js';
import { QueryError } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

const consensusPrefix = 'sentvalcons';
const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');

function blockId({ hash, parts }: BlockId): BlockID {
  return { hash: hex(hash), partSetHeader: { total: parts.total, hash: hex(parts.hash) } };
}

function commit(json: CommitJson): Commit {
  return {
    height: BigInt(json.height),
    round: json.round,
    blockId: blockId(json.block_id),
    signatures: json.signatures.map((each) => ({
      blockIdFlag: each.block_id_flag,
      validatorAddress: hex(each.validator_address),
      timestamp: readTimestamp(each.timestamp),
      signature: Buffer.from(each.signature, 'base64'),
    })),
  };
}

/** A block in both formats of the response: the engine's, and the framework's with a bech32 proposer. */
function blockResponse(view: BlockView, height: number): GetBlockByHeightResponse {
  const json = view.block(height);
  const { header } = json;
  const common = {
    version: { block: BigInt(header.version.block), app: 0n },
    chainId: header.chain_id,
    height: BigInt(header.height),
    time: readTimestamp(header.time),
    lastBlockId: blockId(header.last_block_id),
    lastCommitHash: hex(header.last_commit_hash),
    dataHash: hex(header.data_hash),
    validatorsHash: hex(header.validators_hash),
    nextValidatorsHash: hex(header.next_validators_hash),
    consensusHash: hex(header.consensus_hash),
    appHash: hex(header.app_hash),
    lastResultsHash: hex(header.last_results_hash),
    evidenceHash: hex(header.evidence_hash),
  };
  const rest = {
    data: { txs: json.data.txs.map((tx) => Buffer.from(tx, 'base64')) },
    evidence: { evidence: [] },
    lastCommit: commit(json.last_commit),
  };
  const proposer = hex(header.proposer_address);
  const block: EngineBlock = { header: { ...common, proposerAddress: proposer }, ...rest };
  const sdkBlock: Block = { header: { ...common, proposerAddress: encodeBech32(consensusPrefix, proposer) }, ...rest };
  return { blockId: blockId(view.blockId(height)), block, sdkBlock };
}

function validator(view: BlockView, height: number): Validator {
  return {
    address: encodeBech32(consensusPrefix, hex(view.validator.address)),
    pubKey: { typeUrl: '/stack.crypto.ed25519.PubKey', value: { key: Buffer.from(view.validator.key, 'base64') } },
    votingPower: view.validator.power(height),
    proposerPriority: 0n,
  };
}

/** Resolves the height of a request, with the engine's error if it is out of range. */
function blockHeight({ view }: QueryContext, height: bigint): number {
  const { firstBlock: first, lastBlock: head } = view.bounds;
  if (height > BigInt(head)) throw new QueryError(3, 'requested block height is bigger then the chain length');
  if (height <= 0n) throw new QueryError(2, `height must be greater than 0, but got ${height}`);
  if (height < BigInt(first)) throw new QueryError(2, `height ${height} is not available, lowest height is ${first}`);
  return Number(height);
}

const onePage = { nextKey: new Uint8Array(), total: 1n };

/** Queries for blocks, node and validators. They use the latest block and ignore the height header. */
export const baseHandlers: readonly QueryHandler[] = [
  on(getLatestBlock, (_request, { view }) => blockResponse(view, view.bounds.lastBlock)),
  on(getBlockByHeight, (request, context) => blockResponse(context.view, blockHeight(context, request.height))),
  on(getSyncing, () => ({ syncing: false })),
  on(getLatestValidatorSet, (_request, { view }) => {
    const height = view.bounds.lastBlock + 1;
    return { blockHeight: BigInt(height), validators: [validator(view, height)], pagination: onePage };
  }),
  on(getValidatorSetByHeight, (request, context) => {
    const height = blockHeight(context, request.height);
    return { blockHeight: BigInt(height), validators: [validator(context.view, height)], pagination: onePage };
  }),
  on(getNodeInfo, (_request, { view, identity }) => ({
    defaultNodeInfo: {
      protocolVersion: { p2p: 8n, block: 11n, app: 0n },
      defaultNodeId: identity.nodeId,
      listenAddr: identity.listenAddress,
      network: view.genesis.chainId,
      version: identity.engineVersion,
      channels: hex(identity.channels),
      moniker: identity.moniker,
      other: { txIndex: 'on', rpcAddress: 'tcp://127.0.0.1:26657' },
    },
    applicationVersion: { ...identity.build, version: identity.applicationVersion, buildDeps: [] },
  })),
  on(config, (_request, { identity }) => ({ minimumGasPrice: identity.minimumGasPrice })),
];

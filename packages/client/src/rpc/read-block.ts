import type { Naming } from '@hubwatch/types/runtime/naming';
import {
  bytes,
  flag,
  height,
  hex,
  int32,
  int64,
  listOf,
  member,
  needed,
  object,
  optionalObject,
  parts,
  textMember,
  time,
} from './checks.js';
import { readPublicKey } from './read-status.js';
import type {
  Block,
  BlockchainResult,
  BlockId,
  BlockResult,
  BlockSearchResult,
  Commit,
  CommitResult,
  Header,
  HeaderResult,
  ValidatorsResult,
} from './results.js';

export function readBlockId(json: unknown): BlockId {
  const id = parts(json);
  return {
    hash: member(id, 'hash', hex),
    parts: member(id, 'parts', (value) => {
      const set = parts(value);
      return { total: member(set, 'total', int32), hash: member(set, 'hash', hex) };
    }),
  };
}

export function readHeader(json: unknown): Header {
  const header = object(json);
  return {
    chainId: member(header, 'chain_id', textMember),
    height: member(header, 'height', needed(height)),
    time: member(header, 'time', time),
    blockVersion: member(header, 'version', (value) => member(parts(value), 'block', int64)),
    lastBlockId: member(header, 'last_block_id', readBlockId),
    lastCommitHash: member(header, 'last_commit_hash', hex),
    dataHash: member(header, 'data_hash', hex),
    validatorsHash: member(header, 'validators_hash', hex),
    nextValidatorsHash: member(header, 'next_validators_hash', hex),
    consensusHash: member(header, 'consensus_hash', hex),
    appHash: member(header, 'app_hash', hex),
    lastResultsHash: member(header, 'last_results_hash', hex),
    evidenceHash: member(header, 'evidence_hash', hex),
    proposerAddress: member(header, 'proposer_address', hex),
  };
}

function readCommit(json: unknown): Commit {
  const commit = parts(json);
  return {
    height: member(commit, 'height', height),
    round: member(commit, 'round', int32),
    blockId: member(commit, 'block_id', readBlockId),
    signatures: member(
      commit,
      'signatures',
      listOf((value) => {
        const signature = parts(value);
        return {
          blockIdFlag: member(signature, 'block_id_flag', int32),
          validatorAddress: member(signature, 'validator_address', hex),
          timestamp: member(signature, 'timestamp', time),
          signature: member(signature, 'signature', bytes),
        };
      }),
    ),
  };
}

/** Misbehaviour in the form of the node, with a neutral type tag. */
function readEvidence(json: unknown, naming: Naming): unknown {
  const type = (json as { readonly type?: unknown } | null)?.type;
  return typeof type === 'string' ? { ...(json as object), type: naming.tagFromWire(type) } : json;
}

export function readBlock(json: unknown, naming: Naming): Block {
  const block = object(json);
  const lastCommit = member(block, 'last_commit', optionalObject);
  return {
    header: member(block, 'header', readHeader),
    txs: member(block, 'data', (value) => member(parts(value), 'txs', listOf(bytes))),
    evidence: member(block, 'evidence', (value) =>
      member(
        parts(value),
        'evidence',
        listOf((item) => readEvidence(item, naming)),
      ),
    ),
    lastCommit: lastCommit === undefined ? undefined : member(block, 'last_commit', readCommit),
  };
}

export function readBlockchain(json: unknown): BlockchainResult {
  const result = object(json);
  return {
    lastHeight: member(result, 'last_height', height),
    metas: member(
      result,
      'block_metas',
      listOf((value) => {
        const meta = parts(value);
        return {
          blockId: member(meta, 'block_id', readBlockId),
          size: member(meta, 'block_size', int64),
          header: member(meta, 'header', readHeader),
          txCount: member(meta, 'num_txs', int64),
        };
      }),
    ),
  };
}

export function readBlockSearch(json: unknown, naming: Naming): BlockSearchResult {
  const result = object(json);
  return {
    blocks: member(
      result,
      'blocks',
      listOf((block) => readBlockResult(block, naming)),
    ),
    totalCount: member(result, 'total_count', needed(int64)),
  };
}

/** Response of `block` and `block_by_hash`. */
export function readBlockResult(json: unknown, naming: Naming): BlockResult {
  const result = object(json);
  const block = member(result, 'block', optionalObject);
  return {
    blockId: member(result, 'block_id', readBlockId),
    block: block === undefined ? undefined : member(result, 'block', (value) => readBlock(value, naming)),
  };
}

export function readHeaderResult(json: unknown): HeaderResult {
  const result = object(json);
  const header = member(result, 'header', optionalObject);
  return { header: header === undefined ? undefined : member(result, 'header', readHeader) };
}

export function readCommitResult(json: unknown): CommitResult {
  const result = object(json);
  return member(result, 'signed_header', (value) => {
    const signed = object(value);
    return {
      header: member(signed, 'header', readHeader),
      commit: member(signed, 'commit', readCommit),
      canonical: member(result, 'canonical', flag),
    };
  });
}

export function readValidators(json: unknown, naming: Naming): ValidatorsResult {
  const result = object(json);
  return {
    blockHeight: member(result, 'block_height', height),
    validators: member(
      result,
      'validators',
      listOf((value) => {
        const validator = parts(value);
        return {
          address: member(validator, 'address', hex),
          publicKey: member(validator, 'pub_key', (key) => readPublicKey(key, naming)),
          votingPower: member(validator, 'voting_power', int64),
          proposerPriority: member(validator, 'proposer_priority', int64),
        };
      }),
    ),
    count: member(result, 'count', needed(int64)),
    total: member(result, 'total', needed(int64)),
  };
}

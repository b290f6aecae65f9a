// Blocks in the consensus engine's format. A recording stores a block's identity and effects. Values that follow from
// these are computed: hashes of data, validators, parameters and results. Two values cannot be computed: the hash of
// the block's parts and the validator's signatures. Placeholders of the right length replace them.
import { createHash } from 'node:crypto';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Bounds } from './bounds.js';
import type { Genesis } from './genesis.js';
import { bytesField, merkleRoot, sha256, upperHex, varintField } from './hashes.js';
import { formatInstant, type Instant } from './instant.js';
import type { Mempool } from './mempool.js';
import type { Playback } from './playback.js';
import type { Validator } from './validator.js';

export interface BlockId {
  readonly hash: string;
  readonly parts: { readonly total: number; readonly hash: string };
}

export type Json = unknown;

export interface HeaderJson {
  readonly version: { readonly block: string };
  readonly chain_id: string;
  readonly height: string;
  readonly time: string;
  readonly last_block_id: BlockId;
  readonly last_commit_hash: string;
  readonly data_hash: string;
  readonly validators_hash: string;
  readonly next_validators_hash: string;
  readonly consensus_hash: string;
  readonly app_hash: string;
  readonly last_results_hash: string;
  readonly evidence_hash: string;
  readonly proposer_address: string;
}

export interface CommitJson {
  readonly height: string;
  readonly round: number;
  readonly block_id: BlockId;
  readonly signatures: readonly {
    readonly block_id_flag: number;
    readonly validator_address: string;
    readonly timestamp: string;
    readonly signature: string;
  }[];
}

export interface BlockJson {
  readonly header: HeaderJson;
  readonly data: { readonly txs: readonly string[] };
  readonly evidence: { readonly evidence: readonly never[] };
  readonly last_commit: CommitJson;
}

const emptyHash = upperHex(sha256());
const emptyBlockId: BlockId = { hash: '', parts: { total: 0, hash: '' } };
/** Block protocol version of this engine release line. */
const blockProtocol = '11';

function timeBytes(instant: Instant): Buffer {
  return Buffer.concat([varintField(1, instant / 1_000_000_000n), varintField(2, instant % 1_000_000_000n)]);
}

export interface BlockViewParts {
  readonly playback: Playback;
  readonly bounds: Bounds;
  readonly genesis: Genesis;
  readonly validator: Validator;
  readonly naming: Naming;
  /** Destination for broadcast transactions; a recorded node accepts none. */
  readonly mempool?: Mempool;
}

export class BlockView {
  readonly playback: Playback;
  readonly bounds: Bounds;
  readonly genesis: Genesis;
  readonly validator: Validator;
  readonly mempool: Mempool | undefined;
  readonly #naming: Naming;
  readonly #consensusHash: string;

  constructor(parts: BlockViewParts) {
    const { playback, bounds, genesis, validator, naming } = parts;
    this.playback = playback;
    this.bounds = bounds;
    this.genesis = genesis;
    this.validator = validator;
    this.mempool = parts.mempool;
    this.#naming = naming;
    const { max_bytes, max_gas } = genesis.consensusParams.block;
    this.#consensusHash = upperHex(sha256(varintField(1, BigInt(max_bytes)), varintField(2, BigInt(max_gas))));
  }

  time(height: number): string {
    return formatInstant(this.playback.time(height));
  }

  blockId(height: number): BlockId {
    if (!this.playback.blocks.has(height)) return emptyBlockId;
    const { hash } = this.playback.block(height);
    return { hash, parts: { total: 1, hash: upperHex(sha256(Buffer.from(hash, 'hex'))) } };
  }

  header(height: number): HeaderJson {
    const block = this.playback.block(height);
    const first = height === this.playback.first;
    return {
      version: { block: blockProtocol },
      chain_id: this.genesis.chainId,
      height: String(height),
      time: this.time(height),
      last_block_id: this.blockId(height - 1),
      last_commit_hash: first ? emptyHash : this.#commitHash(height - 1),
      data_hash: upperHex(merkleRoot(block.txs.map((tx) => Buffer.from(tx.hash, 'hex')))),
      validators_hash: this.validator.setHash(height),
      next_validators_hash: this.validator.setHash(height + 1),
      consensus_hash: this.#consensusHash,
      app_hash: block.app_hash,
      last_results_hash: block.last_results_hash,
      evidence_hash: emptyHash,
      proposer_address: block.proposer,
    };
  }

  block(height: number): BlockJson {
    const last = height - 1;
    return {
      header: this.header(height),
      data: { txs: this.playback.block(height).txs.map((tx) => tx.tx) },
      evidence: { evidence: [] },
      last_commit: this.playback.blocks.has(last)
        ? this.commit(last)
        : { height: '0', round: 0, block_id: emptyBlockId, signatures: [] },
    };
  }

  commit(height: number): CommitJson {
    const signature = {
      block_id_flag: 2,
      validator_address: this.validator.address,
      timestamp: formatInstant(this.#signedAt(height)),
      signature: this.signature(height).toString('base64'),
    };
    return { height: String(height), round: 0, block_id: this.blockId(height), signatures: [signature] };
  }

  /** Approximate block size as the engine counts it: the transactions plus the usual overhead. */
  size(height: number): number {
    const txBytes = this.playback
      .block(height)
      .txs.reduce((sum, tx) => sum + Math.floor((tx.tx.length * 3) / 4) + 3, 0);
    return (height === this.playback.first ? 330 : 628) + txBytes;
  }

  publicKey(): Json {
    return { type: this.tag('bft/PubKeyEd25519'), value: this.validator.key };
  }

  /** Maps a neutral type tag of the consensus RPC to its wire name. */
  tag(neutral: string): string {
    return this.#naming.routeToWire(neutral);
  }

  /** Returns a placeholder signature: recordings contain no signatures. */
  signature(height: number): Buffer {
    return createHash('sha512').update(this.playback.block(height).hash).digest();
  }

  /** With a single validator, a block's time is the time at which the previous block was signed. */
  #signedAt(height: number): Instant {
    const { blocks } = this.playback;
    return this.playback.time(Math.min(height + 1, blocks.last));
  }

  #commitHash(height: number): string {
    const leaf = Buffer.concat([
      varintField(1, 2n),
      bytesField(2, Buffer.from(this.validator.address, 'hex')),
      bytesField(3, timeBytes(this.#signedAt(height))),
      bytesField(4, this.signature(height)),
    ]);
    return upperHex(merkleRoot([leaf]));
  }
}

// Consensus engine hashes that can be computed from recorded data.
import { createHash } from 'node:crypto';

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function upperHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** Merkle root. Leaves and inner nodes have different prefixes; the split is at the largest power of two below the count. */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(leafPrefix, leaves[0] as Uint8Array);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(nodePrefix, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)));
}

export interface MerkleProof {
  readonly total: number;
  readonly index: number;
  readonly leafHash: Buffer;
  /** Hashes of the sibling branches, from the leaf upwards. */
  readonly aunts: readonly Buffer[];
}

export function merkleProof(leaves: readonly Uint8Array[], index: number): MerkleProof {
  const aunts: Buffer[] = [];
  const walk = (part: readonly Uint8Array[], at: number): void => {
    if (part.length <= 1) return;
    let split = 1;
    while (split * 2 < part.length) split *= 2;
    if (at < split) {
      walk(part.slice(0, split), at);
      aunts.push(merkleRoot(part.slice(split)));
    } else {
      walk(part.slice(split), at - split);
      aunts.push(merkleRoot(part.slice(0, split)));
    }
  };
  walk(leaves, index);
  return { total: leaves.length, index, leafHash: sha256(leafPrefix, leaves[index] as Uint8Array), aunts };
}

/** Encodes a protobuf varint. */
export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

export function varintField(no: number, value: bigint): Buffer {
  return value === 0n ? Buffer.alloc(0) : Buffer.concat([varint(BigInt(no << 3)), varint(value)]);
}

export function bytesField(no: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint(BigInt((no << 3) | 2)), varint(BigInt(value.length)), value]);
}

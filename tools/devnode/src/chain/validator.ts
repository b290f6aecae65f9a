import { bytesField, merkleRoot, sha256, upperHex, varintField } from './hashes.js';
import type { BlockStream } from './block-stream.js';
import type { Genesis } from './genesis.js';

/** The single validator of a recorded chain. */
export class Validator {
  readonly address: string;
  /** ed25519 public key, base64. */
  readonly key: string;
  readonly #powers: { readonly from: number; readonly power: bigint }[];

  constructor(genesis: Genesis, blocks: BlockStream) {
    this.key = genesis.validator.key;
    this.address = upperHex(sha256(Buffer.from(this.key, 'base64')).subarray(0, 20));
    this.#powers = [{ from: 0, power: genesis.validator.power }];
    for (const { height, power } of blocks.powerUpdates()) this.#powers.push({ from: height + 2, power });
  }

  /** Voting power at a height. An update in block H takes effect at H + 2. */
  power(height: number): bigint {
    let power = 0n;
    for (const step of this.#powers) if (step.from <= height) power = step.power;
    return power;
  }

  /** Hash of the validator set at a height, upper-case hex. */
  setHash(height: number): string {
    const publicKey = bytesField(1, Buffer.from(this.key, 'base64'));
    return upperHex(merkleRoot([Buffer.concat([bytesField(1, publicKey), varintField(2, this.power(height))])]));
  }
}

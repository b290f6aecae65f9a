/** Seeded random numbers, so that a counter-example can be reproduced. */
export class RandomSource {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
    // Adjacent seeds would start with similar values.
    for (let i = 0; i < 4; i++) this.bits();
  }

  /** 32 random bits (mulberry32). */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A number from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor((this.bits() / 2 ** 32) * end);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** An integer of up to `bits` bits; small ones are as likely as large ones. */
  unsigned(bits: number): bigint {
    const width = this.below(bits + 1);
    let value = 0n;
    for (let done = 0; done < width; done += 32) value = (value << 32n) | BigInt(this.bits());
    return BigInt.asUintN(width, value);
  }
}

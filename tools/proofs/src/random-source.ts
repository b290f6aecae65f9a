/** Random numbers that a seed fixes, so that a counter-example can be met again. */
export class RandomSource {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
    // Neighbouring seeds would begin alike.
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

  /** 0 up to and without `end`. */
  below(end: number): number {
    return Math.floor((this.bits() / 2 ** 32) * end);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Whole number of up to `bits` bits, small ones as likely as large ones. */
  unsigned(bits: number): bigint {
    const width = this.below(bits + 1);
    let value = 0n;
    for (let done = 0; done < width; done += 32) value = (value << 32n) | BigInt(this.bits());
    return BigInt.asUintN(width, value);
  }
}

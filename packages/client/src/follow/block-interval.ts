/** Number of gaps that are used. */
const maxGaps = 15;

/** Observed time between blocks: the median of the last gaps, so that one long pause does not change it. */
export class BlockInterval {
  private readonly gaps: number[] = [];
  private last: { height: bigint; atMs: number } | undefined;

  /** Records a head observed at this time. */
  seen(height: bigint, atMs: number): void {
    if (this.last !== undefined && height > this.last.height) {
      this.gaps.push((atMs - this.last.atMs) / Number(height - this.last.height));
      if (this.gaps.length > maxGaps) this.gaps.shift();
    }
    if (this.last === undefined || height > this.last.height) this.last = { height, atMs };
  }

  /** Milliseconds; `undefined` before the second head. */
  get ms(): number | undefined {
    const sorted = this.gaps.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1];
  }
}

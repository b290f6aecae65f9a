/** Counts how often each of several claims was true: `n of m`. */
export class Counts {
  #failed = 0;
  private readonly held = new Map<string, { good: number; all: number }>();

  add(claim: string, good: boolean): void {
    const entry = this.held.get(claim) ?? { good: 0, all: 0 };
    entry.all++;
    if (good) entry.good++;
    else this.#failed++;
    this.held.set(claim, entry);
  }

  /** Number of claims that were false so far. */
  get failed(): number {
    return this.#failed;
  }

  total(claim: string): number {
    return this.held.get(claim)?.all ?? 0;
  }

  figures(): Record<string, string> {
    return Object.fromEntries([...this.held].map(([claim, { good, all }]) => [claim, `${good} of ${all}`]));
  }
}

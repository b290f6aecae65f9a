/** How often each of several claims held, `n of m`. */
export class Counts {
  private readonly held = new Map<string, { good: number; all: number }>();

  add(claim: string, good: boolean): void {
    const entry = this.held.get(claim) ?? { good: 0, all: 0 };
    entry.all++;
    if (good) entry.good++;
    this.held.set(claim, entry);
  }

  total(claim: string): number {
    return this.held.get(claim)?.all ?? 0;
  }

  figures(): Record<string, string> {
    return Object.fromEntries([...this.held].map(([claim, { good, all }]) => [claim, `${good} of ${all}`]));
  }
}

/** A rate budget: requests per second, with a burst after a pause. */
export class TokenBucket {
  private readonly perSecond: number;
  private readonly burst: number;
  private tokens: number;
  private filledAtMs: number;

  constructor(perSecond: number, burst: number, nowMs: number) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = burst;
    this.filledAtMs = nowMs;
  }

  /**
   * Takes one request from the budget.
   *
   * @param reserve requests that must be left for others
   */
  take(nowMs: number, reserve = 0): boolean {
    this.fill(nowMs);
    if (this.tokens < 1 + reserve) return false;
    this.tokens--;
    return true;
  }

  /** Milliseconds until `take` succeeds. */
  waitMs(nowMs: number, reserve = 0): number {
    this.fill(nowMs);
    return Math.max(0, ((1 + reserve - this.tokens) / this.perSecond) * 1_000);
  }

  private fill(nowMs: number): void {
    // Compensates a rounding error after a wait of exactly `waitMs`.
    const gained = ((nowMs - this.filledAtMs) / 1_000) * this.perSecond + 1e-9;
    this.tokens = Math.min(this.burst, this.tokens + gained);
    this.filledAtMs = nowMs;
  }
}

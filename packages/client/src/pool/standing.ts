import { type BackoffOptions, backoffMs } from '../backoff.js';
import type { Lane } from './pool-event.js';
import type { TokenBucket } from './token-bucket.js';

interface LaneState {
  latencyMs: number | undefined;
  failures: number;
  /** Not queried before this time. */
  freeAtMs: number;
}

/** Observations of the pool about one endpoint. */
export class MemberStanding {
  readonly name: string;
  readonly bucket: TokenBucket | undefined;
  /** Highest height that it ever reported. */
  mark: bigint | undefined;
  /** Blocks by which it was behind the best endpoint at its last reported height; `undefined` before that. */
  lag: bigint | undefined;
  private readonly lanes: Record<Lane, LaneState> = {
    live: { latencyMs: undefined, failures: 0, freeAtMs: 0 },
    history: { latencyMs: undefined, failures: 0, freeAtMs: 0 },
  };

  constructor(name: string, bucket: TokenBucket | undefined) {
    this.name = name;
    this.bucket = bucket;
  }

  lane(lane: Lane): Readonly<LaneState> {
    return this.lanes[lane];
  }

  /** Records a height that the endpoint reported, given the best height of all. */
  showed(height: bigint, best: bigint): void {
    if (this.mark === undefined || height > this.mark) this.mark = height;
    this.lag = best > height ? best - height : 0n;
  }

  /** Records a response; returns true for the first one after failures. */
  answered(lane: Lane, ms: number): boolean {
    const state = this.lanes[lane];
    const recovered = state.failures > 0;
    state.latencyMs = state.latencyMs === undefined ? ms : state.latencyMs * 0.8 + ms * 0.2;
    state.failures = 0;
    return recovered;
  }

  /** Records a failure of the endpoint, and returns the milliseconds of its backoff. */
  failed(lane: Lane, nowMs: number, backoff: BackoffOptions, random: () => number, atLeastMs: number): number {
    const state = this.lanes[lane];
    state.failures++;
    const forMs = Math.max(atLeastMs, backoffMs(state.failures, backoff, random));
    this.block(lane, nowMs + forMs);
    return forMs;
  }

  /** Ends the backoff. */
  free(lane: Lane): void {
    this.lanes[lane].freeAtMs = 0;
  }

  block(lane: Lane, untilMs: number): void {
    const state = this.lanes[lane];
    state.freeAtMs = Math.max(state.freeAtMs, untilMs);
  }
}

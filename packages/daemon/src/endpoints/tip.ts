import { tipBlocks } from './head.js';

/** When the chain was last observed to produce a block. */
interface SeenTip {
  readonly sinceMs: number;
  /** False until an endpoint was observed to step: until then `sinceMs` is the time of the first report. */
  readonly hasMoved: boolean;
}

/**
 * The greatest height of the chain, and when it grew. It grows only if one endpoint reports more than it did before.
 * Endpoints at different heights, or an endpoint that responds again, do not indicate a new block.
 */
export interface Tip {
  take(endpoint: string, height: bigint, nowMs: number): void;
  /** `undefined` before the first report. */
  seen(): SeenTip | undefined;
}

/** A single step may be caused by two servers behind one address. */
const stepsNeeded = 2;
/** Consecutive reports of smaller heights after which the chain counts as rolled back. */
const patience = 10;

export const createTip = (): Tip => {
  const heights = new Map<string, bigint>();
  let top = 0n;
  let lower = 0;
  let steps = 0;
  let seen: SeenTip | undefined;
  return {
    take(endpoint, height, nowMs) {
      const before = heights.get(endpoint);
      seen ??= { sinceMs: nowMs, hasMoved: false };
      if (height > top) {
        if (before !== undefined && height > before) {
          steps += 1;
          seen = { sinceMs: nowMs, hasMoved: steps >= stepsNeeded };
        }
        top = height;
        lower = 0;
      } else if (height + tipBlocks < top) {
        lower += 1;
        if (lower >= patience) {
          top = height;
          lower = 0;
          heights.clear();
        }
      } else lower = 0;
      heights.set(endpoint, height);
    },
    seen: () => seen,
  };
};

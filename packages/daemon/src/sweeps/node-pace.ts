import { backoffMs, HubError } from '@hubwatch/client';

/** Answers that the usual time is the median of. */
const remembered = 101;
/** Answers of a list before its median says anything. */
const enough = 10;
/** Answers that the present time is the median of: one that is slow alone is chance. */
const recent = 5;
/** Answers this many times slower than usual show that the node suffers. */
const slowFactor = 2;
/** Below this an answer is fast, whatever is usual: a few milliseconds more are chance. */
const fastMs = 25;
const longestMs = 60_000;
const firstFailureMs = 1_000;
const firstRefusalMs = 5_000;
const smallestShare = 1 / 8;

/** How hard one endpoint may be asked for whole lists. It is measured by itself: what is slow for one is usual for another. */
export interface NodePace {
  /** Milliseconds to wait before the next page. */
  pauseMs(): number;
  /** Part of the configured size that pages have now: whole ones may take longer than a request may. */
  pageShare(): number;
  answered(list: string, ms: number): void;
  failed(error: unknown): void;
  /** Every list was read. */
  gotThrough(): void;
}

/**
 * Answers that take much longer than the median of their list are followed by a rest of that length times as much as they are
 * slower, failures by rests that double up to a minute, a refusal for asking too often by the rest that it asks for. Time-outs
 * make the pages of the lists that come smaller.
 */
export const createNodePace = (): NodePace => {
  const times = new Map<string, number[]>();
  let restMs = 0;
  let failures = 0;
  let share = 1;
  return {
    pauseMs: () => restMs,
    pageShare: () => share,
    gotThrough() {
      share = Math.min(1, share * 2);
    },
    answered(list, ms) {
      const known = times.get(list) ?? [];
      const now = [...known, ms].slice(-remembered);
      times.set(list, now);
      if (failures > 0) {
        // After failures it comes back by halves, not at once.
        restMs /= 2;
        if (restMs < fastMs) restMs = failures = 0;
        return;
      }
      const [usualMs, presentMs] = [medianOf(now), medianOf(now.slice(-recent))];
      const slower = presentMs / Math.max(usualMs, 1);
      const suffers = now.length > enough && presentMs > fastMs && slower > slowFactor;
      restMs = suffers ? Math.min(longestMs, presentMs * slower) : 0;
    },
    failed(error) {
      failures += 1;
      const isRefusal = error instanceof HubError && error.code === 'rate_limited';
      if (error instanceof HubError && error.code === 'timeout') share = Math.max(smallestShare, share / 2);
      const asked = error instanceof HubError ? (error.raw.retryAfterMs ?? 0) : 0;
      const firstMs = isRefusal ? firstRefusalMs : firstFailureMs;
      restMs = Math.min(longestMs, Math.max(backoffMs(failures, { firstMs, mostMs: longestMs }), asked));
    },
  };
};

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

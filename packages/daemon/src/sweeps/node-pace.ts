import { backoffMs, HubError } from '@hubwatch/client';

/** Number of responses for the median that is the usual time. */
const remembered = 101;
/** Minimum number of responses of a list before its median is used. */
const enough = 10;
/** Number of responses for the median that is the current time: a single slow response is ignored. */
const recent = 5;
/** Factor over the usual time from which the node counts as overloaded. */
const slowFactor = 2;
/** Responses below this time are fast regardless of the usual time: a few milliseconds more are noise. */
const fastMs = 25;
const longestMs = 60_000;
const firstFailureMs = 1_000;
const firstRefusalMs = 5_000;
const smallestShare = 1 / 8;

/**
 * Limits the rate of list requests to one endpoint. The usual time is measured per endpoint because endpoints differ.
 */
export interface NodePace {
  /** Milliseconds to wait before the next page. */
  pauseMs(): number;
  /** Current fraction of the configured page size: full pages may exceed the request timeout. */
  pageShare(): number;
  answered(list: string, ms: number): void;
  failed(error: unknown): void;
  /** Call when every list was read. */
  gotThrough(): void;
}

/**
 * Pauses between pages depend on the endpoint. After responses much slower than the median of their list, the pause is
 * the response time multiplied by the slowdown. After failures, the pause doubles up to a minute. After a rate limit
 * response, the pause is the requested one. Time-outs reduce the page size of the following lists.
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
        // After failures the pause is halved with each success, not reset.
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

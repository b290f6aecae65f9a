/** Decision on the notices of one rule that are due in one round. */
export type Gathered = 'each' | 'together' | 'later';

export interface GatheringSettings {
  /** Maximum number of individual notices of one rule until it has been quiet for ten minutes; further notices are grouped. */
  readonly above: number;
  /** How long the first of many notices waits for the others, in milliseconds. */
  readonly waitMs: number;
}

/**
 * Decides which notices are sent individually and which are combined: one message per cause. A cause that affects many subjects
 * is detected over several rounds, so the first notice waits for the others. While more follow, the wait doubles up to one
 * minute. Times are monotonic.
 */
export interface Gathering {
  decide(rule: string, due: number, nowMs: number): Gathered;
  /** When waiting notices must be checked again; `undefined` if none waits. */
  nextMs(): number | undefined;
}

/** Time without a notice of the rule after which the next one does not belong to a group. */
const quietMs = 600_000;
const longestWaitMs = 60_000;

interface OfRule {
  /** Number of notices sent individually since the last quiet period. */
  readonly alone: number;
  /** When the first waiting notice was seen. */
  readonly sinceMs: number | undefined;
  readonly waitMs: number;
  readonly lastMs: number;
}

export const createGathering = ({ above, waitMs }: GatheringSettings): Gathering => {
  const byRule = new Map<string, OfRule>();
  const fresh: OfRule = { alone: 0, sinceMs: undefined, waitMs, lastMs: Number.NEGATIVE_INFINITY };
  const stateOf = (rule: string, nowMs: number): OfRule => {
    const known = byRule.get(rule) ?? fresh;
    return known.sinceMs === undefined && nowMs - known.lastMs > quietMs ? fresh : known;
  };
  return {
    decide(rule, due, nowMs) {
      const state = stateOf(rule, nowMs);
      if (due === 0) {
        // The waiting alerts are over.
        byRule.set(rule, { ...state, sinceMs: undefined });
        return 'each';
      }
      if (state.sinceMs === undefined && state.alone + due <= above) {
        byRule.set(rule, { ...state, alone: state.alone + due, lastMs: nowMs });
        return 'each';
      }
      const sinceMs = state.sinceMs ?? nowMs;
      if (nowMs - sinceMs < state.waitMs) {
        byRule.set(rule, { ...state, sinceMs });
        return 'later';
      }
      byRule.set(rule, {
        ...state,
        sinceMs: undefined,
        waitMs: Math.min(state.waitMs * 2, Math.max(longestWaitMs, waitMs)),
        lastMs: nowMs,
      });
      return due === 1 ? 'each' : 'together';
    },
    nextMs() {
      const ends = [...byRule.values()].flatMap(({ sinceMs, waitMs: wait }) =>
        sinceMs === undefined ? [] : [sinceMs + wait],
      );
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
  };
};

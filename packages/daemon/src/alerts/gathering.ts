/** What becomes of the notices of one rule that are due in one round. */
export type Gathered = 'each' | 'together' | 'later';

export interface GatheringSettings {
  /** Notices of one rule that go out on their own until it is quiet for ten minutes; more are gathered. */
  readonly above: number;
  /** How long the first of many waits for the others, milliseconds. */
  readonly waitMs: number;
}

/**
 * Decides which notices go out on their own and which as one: one cause, one message. A cause that strikes many is seen
 * over several rounds, so the first of many waits for the others. While more keep coming, the wait doubles up to a minute. Times are monotonic.
 */
export interface Gathering {
  decide(rule: string, due: number, nowMs: number): Gathered;
  /** When the notices that wait should be looked at again; `undefined` when none waits. */
  nextMs(): number | undefined;
}

/** Time without a notice of the rule after which the next one is nobody's companion. */
const quietMs = 600_000;
const longestWaitMs = 60_000;

interface OfRule {
  /** Notices that went out on their own since it was last quiet. */
  readonly alone: number;
  /** When the first of those that wait was seen. */
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
        // Those that waited are over.
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

import type { BySubject } from './by-subject.js';
import type { Told } from './told.js';

/** Resolved members of one group that were not reported yet, and those that still fire. */
export interface Owed {
  readonly groupId: string;
  readonly over: readonly Told[];
  readonly remaining: readonly Told[];
}

export interface GroupSettings {
  /** More notices of one rule than this are combined into one. If at most this many still fire, they get individual notices. */
  readonly above: number;
  /** How long the first of many notices waits for the others, in milliseconds. */
  readonly waitMs: number;
}

/** Maximum time for which remaining firing members may delay the recoveries of a group. */
const longestMs = 3_600_000;

interface Group {
  readonly sinceMs: number;
  /** Since when only few members remain. */
  readonly fewSinceMs: number | undefined;
}

/**
 * Recoveries of alerts that were reported in a group. They are combined when all are over, when few remain, or after one hour.
 * A member that fires again is not reported as resolved. Times are monotonic.
 */
export class GroupRecoveries {
  readonly #settings: GroupSettings;
  #groups: ReadonlyMap<string, Group> = new Map();

  constructor(settings: GroupSettings) {
    this.#settings = settings;
  }

  /** Recoveries to report now. `isFiring` returns whether the subject has a firing alert. */
  due(told: Pick<BySubject<Told>, 'values'>, isFiring: (told: Told) => boolean, nowMs: number): readonly Owed[] {
    const owing = new Set<string>();
    for (const { groupId, owed } of told.values()) if (groupId !== undefined && owed !== undefined) owing.add(groupId);
    const members = new Map<string, Told[]>();
    if (owing.size > 0)
      for (const one of told.values()) {
        const { groupId } = one;
        if (groupId === undefined || !one.isFiring || !owing.has(groupId)) continue;
        const known = members.get(groupId);
        if (known === undefined) members.set(groupId, [one]);
        else known.push(one);
      }
    const groups = new Map<string, Group>();
    const due = [...members].flatMap(([groupId, all]): Owed[] => {
      const over = all.filter((one) => one.owed !== undefined && !isFiring(one));
      if (over.length === 0) return [];
      const told = new Set(over);
      const remaining = all.filter((one) => !told.has(one));
      const isFew = remaining.length <= this.#settings.above;
      const { sinceMs = nowMs, fewSinceMs = nowMs } = this.#groups.get(groupId) ?? {};
      groups.set(groupId, { sinceMs, fewSinceMs: isFew ? fewSinceMs : undefined });
      const isDue =
        remaining.length === 0 ||
        (isFew && nowMs - fewSinceMs >= this.#settings.waitMs) ||
        nowMs - sinceMs >= longestMs;
      if (!isDue) return [];
      groups.delete(groupId);
      return [{ groupId, over, remaining }];
    });
    this.#groups = groups;
    return due;
  }

  nextMs(): number | undefined {
    const ends = [...this.#groups.values()].map(({ sinceMs, fewSinceMs }) =>
      fewSinceMs === undefined ? sinceMs + longestMs : fewSinceMs + this.#settings.waitMs,
    );
    return ends.length === 0 ? undefined : Math.min(...ends);
  }
}

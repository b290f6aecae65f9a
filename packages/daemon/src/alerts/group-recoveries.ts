import type { BySubject } from './by-subject.js';
import type { Told } from './told.js';

/** Members of one group that are over and were not told of, and those that still fire. */
export interface Owed {
  readonly groupId: string;
  readonly over: readonly Told[];
  readonly remaining: readonly Told[];
}

export interface GroupSettings {
  /** Notices of one rule beyond so many go out as one. So few that still fire are worth a notice of their own. */
  readonly above: number;
  /** How long the first of many waits for the others, milliseconds. */
  readonly waitMs: number;
}

/** A group whose last members stay in trouble must not hide those that recovered for longer. */
const longestMs = 3_600_000;

interface Group {
  readonly sinceMs: number;
  /** Since when few are left. */
  readonly fewSinceMs: number | undefined;
}

/**
 * Recoveries of alerts that were told in a group: told as one when all is over, when few are left, or after an hour. A
 * member that fires again is not told as over. Times are monotonic.
 */
export class GroupRecoveries {
  readonly #settings: GroupSettings;
  #groups: ReadonlyMap<string, Group> = new Map();

  constructor(settings: GroupSettings) {
    this.#settings = settings;
  }

  /** What is to be told now. `isFiring`: whether the subject has an alert that fires. */
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

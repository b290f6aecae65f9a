import type { Alert } from './alert.js';
import type { Member } from './group-notice.js';

/** Members of one group that are over and were not told of, and those that go on. */
export interface Owed {
  readonly groupId: string;
  readonly over: readonly Member[];
  readonly remaining: readonly Alert[];
}

export interface OwedSettings {
  /** So few that go on are worth a word of their own. */
  readonly above: number;
  readonly waitMs: number;
}

/** Recoveries of alerts that were told in a group: told as one when all is over, when few are left, or after an hour. */
export interface OwedRecoveries {
  add(member: Member, nowMs: number): void;
  /** What is to be told now. Nothing is forgotten before `settled`. */
  due(active: Iterable<Alert>, nowMs: number): readonly Owed[];
  settled(groupId: string): void;
  nextMs(): number | undefined;
  readonly isEmpty: boolean;
  /** What changed from now on is forgotten when the answer is called: the round was not kept. */
  checkpoint(): () => void;
}

/** A group whose last members do not come back must not keep silent about those that did. */
const longestMs = 3_600_000;

interface Group {
  readonly over: readonly Member[];
  readonly sinceMs: number;
  /** Since when few are left. */
  readonly fewSinceMs: number | undefined;
}

export const createOwedRecoveries = (
  { above, waitMs }: OwedSettings,
  owing: readonly Alert[],
  startMs: number,
): OwedRecoveries => {
  let groups = new Map<string, Group>();
  const add = (member: Member, nowMs: number): void => {
    const { groupId = '' } = member.alert;
    const known = groups.get(groupId);
    groups.set(groupId, { sinceMs: nowMs, fewSinceMs: undefined, ...known, over: [...(known?.over ?? []), member] });
  };
  for (const alert of owing) add({ alert, title: `${alert.title}: over`, text: '' }, startMs);

  return {
    add,
    due(active, nowMs) {
      if (groups.size === 0) return [];
      const remaining = new Map([...groups.keys()].map((groupId): [string, Alert[]] => [groupId, []]));
      for (const alert of active) remaining.get(alert.groupId ?? '')?.push(alert);
      return [...remaining].flatMap(([groupId, left]): Owed[] => {
        const { over, sinceMs, fewSinceMs = nowMs } = groups.get(groupId) ?? { over: [], sinceMs: nowMs };
        const isFew = left.length <= above;
        groups.set(groupId, { over, sinceMs, fewSinceMs: isFew ? fewSinceMs : undefined });
        const isDue = left.length === 0 || (isFew && nowMs - fewSinceMs >= waitMs) || nowMs - sinceMs >= longestMs;
        return isDue ? [{ groupId, over, remaining: left }] : [];
      });
    },
    settled: (groupId) => {
      groups.delete(groupId);
    },
    nextMs() {
      const ends = [...groups.values()].map(({ sinceMs, fewSinceMs }) =>
        fewSinceMs === undefined ? sinceMs + longestMs : fewSinceMs + waitMs,
      );
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
    get isEmpty() {
      return groups.size === 0;
    },
    checkpoint() {
      const before = new Map(groups);
      return () => {
        groups = before;
      };
    },
  };
};

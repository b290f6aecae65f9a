import type { Store } from './store.js';
import { limits } from './tables.js';

const hourMs = 3_600_000;
const hoursKept = limits.sessionHoursOfNode;
/** Minimum number of known hours before an average is available. */
const hoursNeeded = 24;

/** Average number of active sessions of each watched node, across restarts. */
export interface SessionCounts {
  /** Records the number from a poll. An hour is written when the next one begins. */
  note(node: string, active: number, atMs: number): void;
  /** Average over the last week; `undefined` until a day of it is known. */
  usual(node: string): number | undefined;
}

interface Hour {
  readonly hour: number;
  readonly sum: number;
  readonly polls: number;
}

export const createSessionCounts = (store: Store): SessionCounts => {
  const past = new Map<string, readonly Hour[]>();
  const present = new Map<string, Hour>();
  const pastOf = (node: string): readonly Hour[] => {
    const known =
      past.get(node) ??
      store
        .all('SELECT hour, average FROM session_hours WHERE node = ? ORDER BY hour', node)
        .map((row) => ({ hour: Number(row['hour']), sum: Number(row['average']), polls: 1 }));
    past.set(node, known);
    return known;
  };
  /** Ends an hour and advances the week by it. After a chain rollback the count restarts from the current hour. */
  const close = (node: string, ended: Hour): void => {
    const average = ended.sum / ended.polls;
    const oldest = ended.hour - hoursKept;
    store.transaction(() => {
      store.run(
        'INSERT OR REPLACE INTO session_hours (node, hour, average) VALUES (?, ?, ?)',
        ...[node, ended.hour, average],
      );
      store.run('DELETE FROM session_hours WHERE node = ? AND (hour <= ? OR hour > ?)', node, oldest, ended.hour);
    });
    const kept = pastOf(node).filter(({ hour }) => hour > oldest && hour < ended.hour);
    past.set(node, [...kept, { hour: ended.hour, sum: average, polls: 1 }]);
  };
  return {
    note(node, active, atMs) {
      const hour = Math.floor(atMs / hourMs);
      const now = present.get(node);
      if (now === undefined || now.hour === hour) {
        present.set(node, { hour, sum: (now?.sum ?? 0) + active, polls: (now?.polls ?? 0) + 1 });
        return;
      }
      close(node, now);
      present.set(node, { hour, sum: active, polls: 1 });
    },
    usual(node) {
      const hours = pastOf(node);
      if (hours.length < hoursNeeded) return undefined;
      return hours.reduce((sum, { sum: average }) => sum + average, 0) / hours.length;
    },
  };
};

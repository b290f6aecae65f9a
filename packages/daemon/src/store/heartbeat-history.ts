import type { Store } from './store.js';
import { limits } from './tables.js';

const kept = limits.heartbeatsOfNode;

/** The latest status times of each watched node, across restarts. */
export interface HeartbeatHistory {
  /** Records a status time; a known one changes nothing. */
  add(node: string, atMs: number): void;
  /** Oldest first, at most the last 21 (20 intervals). */
  times(node: string): readonly number[];
}

export const createHeartbeatHistory = (store: Store): HeartbeatHistory => {
  const cache = new Map<string, readonly number[]>();
  const times = (node: string): readonly number[] => {
    const known =
      cache.get(node) ??
      store
        .all('SELECT at_ms FROM heartbeats WHERE node = ? ORDER BY at_ms DESC LIMIT ?', node, kept)
        .map((row) => Number(row['at_ms']))
        .reverse();
    cache.set(node, known);
    return known;
  };
  return {
    times,
    add(node, atMs) {
      const known = times(node);
      if (known.includes(atMs)) return;
      const next = [...known, atMs].toSorted((a, b) => a - b).slice(-kept);
      store.transaction(() => {
        store.run('INSERT OR IGNORE INTO heartbeats (node, at_ms) VALUES (?, ?)', node, atMs);
        store.run('DELETE FROM heartbeats WHERE node = ? AND at_ms < ?', node, next[0] ?? 0);
      });
      cache.set(node, next);
    },
  };
};

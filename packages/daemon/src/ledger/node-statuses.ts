import type { Store } from '../store/store.js';

/**
 * Of the heartbeats of a node the ledger keeps the one that made it active: those after it change nothing, and there are more
 * of them than of all else.
 */
export interface NodeStatuses {
  /** Whether a node is active by what is kept of it up to a height. */
  isActiveAt(node: string, height: bigint): boolean;
  /** Whether it is inactive by what is kept last. */
  isInactive(node: string): boolean;
  /** Drops the row of a later heartbeat that one of a height makes a repetition. @returns how many rows */
  dropRepeated(node: string, height: bigint): 0 | 1;
}

/** As the index on them says it. */
const isStatus = "kind IN ('node_active', 'node_inactive')";

export const createNodeStatuses = (store: Store): NodeStatuses => ({
  isActiveAt: (node, height) =>
    store.all(
      `SELECT kind FROM ledger WHERE node = ? AND ${isStatus} AND height <= ? ORDER BY height DESC, position DESC LIMIT 1`,
      node,
      Number(height),
    )[0]?.['kind'] === 'node_active',
  isInactive: (node) =>
    store.all(
      `SELECT kind FROM ledger WHERE node = ? AND ${isStatus} ORDER BY height DESC, position DESC LIMIT 1`,
      node,
    )[0]?.['kind'] === 'node_inactive',
  dropRepeated(node, height) {
    const next = store.all(
      `SELECT height, position, kind FROM ledger WHERE node = ? AND ${isStatus} AND height > ? ORDER BY height, position LIMIT 1`,
      node,
      Number(height),
    )[0];
    if (next?.['kind'] !== 'node_active') return 0;
    store.run('DELETE FROM ledger WHERE height = ? AND position = ?', Number(next['height']), Number(next['position']));
    return 1;
  },
});

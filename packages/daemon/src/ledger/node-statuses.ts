import type { Store } from '../store/store.js';

/**
 * Status changes of nodes. The ledger stores only the heartbeat that made a node active. Later heartbeats change
 * nothing and would outnumber all other entries.
 */
export interface NodeStatuses {
  /** Whether a node is active by its stored entries up to a height. */
  isActiveAt(node: string, height: bigint): boolean;
  /** Whether the node is inactive by its last stored entry. */
  isInactive(node: string): boolean;
  /**
   * Deletes the row of a later heartbeat that the heartbeat at this height makes redundant. @returns the number of
   * deleted rows
   */
  dropRepeated(node: string, height: bigint): 0 | 1;
}

/** Same text as in the index on these rows. */
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

import type { Store } from '../store/store.js';
import type { UnlinkCause } from './causes.js';
import { type LedgerRow, rowOf } from './ledger-row.js';

/** A node that was removed from a plan. */
export interface RemovedLink {
  readonly plan: string;
  readonly node: string;
  readonly provider: string;
  readonly height: bigint;
  readonly blockMs: number | undefined;
  readonly cause: UnlinkCause;
  /** Account that sent the message; empty if the chain removed the link automatically. */
  readonly sender: string;
  /** The lease that ended in the same block and removed the link. */
  readonly lease: { readonly id: string; readonly reason: string | undefined } | undefined;
  /** Whether the node was linked to the plan again since. */
  readonly isBack: boolean;
}

const keptMs = 3 * 86_400_000;

/** The last removal of each link in the last three days, in chain order. */
export const removedLinks = (store: Store): readonly RemovedLink[] =>
  store
    .all(
      `SELECT * FROM ledger AS removed
       WHERE kind = 'plan_unlinked' AND block_ms >= (SELECT MAX(block_ms) FROM ledger) - ?
         AND NOT EXISTS (
           SELECT 1 FROM ledger
           WHERE kind = 'plan_unlinked' AND record = removed.record AND node = removed.node
             AND (height > removed.height OR (height = removed.height AND position > removed.position))
         )
       ORDER BY height, position`,
      keptMs,
    )
    .map((row) => linkOf(store, rowOf(row)));

const linkOf = (
  store: Store,
  { record, node, provider, height, position, blockMs, detail, account }: LedgerRow,
): RemovedLink => ({
  plan: record,
  node,
  provider,
  height,
  blockMs,
  cause: detail === 'message' ? 'message' : 'lease_end',
  sender: account,
  lease: detail === 'message' ? undefined : leaseEndedAt(store, node, provider, height),
  isBack: isLinkedSince(store, record, node, height, position),
});

const isLinkedSince = (store: Store, plan: string, node: string, height: bigint, position: number): boolean =>
  store.all(
    `SELECT 1 FROM ledger WHERE record = ?1 AND kind = 'plan_linked' AND node = ?2
     AND (height > ?3 OR (height = ?3 AND position > ?4)) LIMIT 1`,
    plan,
    node,
    Number(height),
    position,
  ).length > 0;

const leaseEndedAt = (store: Store, node: string, provider: string, height: bigint): RemovedLink['lease'] => {
  const end = store.all(
    "SELECT * FROM ledger WHERE height = ? AND kind = 'lease_ended' AND node = ? AND provider = ? LIMIT 1",
    Number(height),
    node,
    provider,
  )[0];
  const row = end && rowOf(end);
  return row && { id: row.record, reason: row.detail };
};

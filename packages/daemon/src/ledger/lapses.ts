import type { Store } from '../store/store.js';
import type { InactiveCause } from './causes.js';
import type { Entry, EntryKind } from './entry.js';
import { type LedgerRow, rowOf, rowsAt } from './ledger-row.js';

export interface EndedLease {
  readonly leaseId: string;
  readonly provider: string | undefined;
  /** Absent if the block contains no refund. */
  readonly refund: { readonly amount: string; readonly denom: string } | undefined;
}

/** A block in which a node became inactive, with the facts from its events. */
export interface Lapse {
  readonly node: string;
  readonly height: bigint;
  readonly blockMs: number | undefined;
  /** `undefined` in rows written before causes were stored. */
  readonly cause: InactiveCause | undefined;
  readonly ended: readonly EndedLease[];
  /** Plans that the node left in the block. */
  readonly unlinked: readonly { readonly plan: string; readonly provider: string }[];
  /** Whether the node became active again in a later block. */
  readonly isBack: boolean;
}

/** Blocks in which nodes became inactive. */
export interface Lapses {
  at(node: string, blockMs: number): Lapse | undefined;
  /** Each time that a node became inactive in the last seven days, in chain order. */
  recent(): readonly Lapse[];
  /** Must be called after rows were added. */
  noteKept(entries: readonly Entry[]): void;
}

const recentMs = 7 * 86_400_000;

/** Kinds of rows that belong to a lapse; most rows are paid hours and fees. */
const concerned: ReadonlySet<EntryKind> = new Set([
  'node_active',
  'node_inactive',
  'lease_ended',
  'lease_refunded',
  'plan_unlinked',
]);

const isStatus = "kind IN ('node_active', 'node_inactive')";

export const createLapses = (store: Store): Lapses => {
  let recent: Recent | undefined;
  /** Requested older lapses, cached until entries are added. */
  const older = new Map<string, Lapse | undefined>();
  const isBack = ({ node, height }: LedgerRow): boolean =>
    store.all(
      `SELECT 1 FROM ledger WHERE node = ? AND ${isStatus} AND kind = 'node_active' AND height > ? LIMIT 1`,
      node,
      Number(height),
    ).length > 0;
  const lapseOf = (row: LedgerRow, block: readonly LedgerRow[]): Lapse => {
    const rows = block.filter(({ node }) => node === row.node);
    return {
      node: row.node,
      height: row.height,
      blockMs: row.blockMs,
      cause: row.detail as InactiveCause | undefined,
      ended: rows
        .filter(({ kind, detail }) => kind === 'lease_ended' && (detail === undefined || detail === 'node_inactive'))
        .map((end) => endedLease(end, rows)),
      unlinked: rows
        .filter(({ kind }) => kind === 'plan_unlinked')
        .map(({ record, provider }) => ({ plan: record, provider })),
      isBack: isBack(row),
    };
  };
  const readAll = (): Recent => {
    const blocks = new Map<bigint, readonly LedgerRow[]>();
    const all = readRecent(store).map((row) => {
      const block = blocks.get(row.height) ?? rowsAt(store, row.height);
      blocks.set(row.height, block);
      return lapseOf(row, block);
    });
    return { all, byTime: new Map(all.map((lapse) => [keyOf(lapse.node, lapse.blockMs), lapse])) };
  };
  return {
    at(node, blockMs) {
      recent ??= readAll();
      const key = keyOf(node, blockMs);
      const known = recent.byTime.get(key);
      if (known !== undefined || older.has(key)) return known ?? older.get(key);
      const found = store.all(
        `SELECT * FROM ledger WHERE node = ? AND ${isStatus} AND kind = 'node_inactive' AND block_ms = ? LIMIT 1`,
        node,
        blockMs,
      )[0];
      const row = found && rowOf(found);
      const lapse = row && lapseOf(row, rowsAt(store, row.height));
      older.set(key, lapse);
      return lapse;
    },
    recent: () => (recent ??= readAll()).all,
    noteKept(entries) {
      older.clear();
      if (entries.some(({ kind }) => concerned.has(kind))) recent = undefined;
    },
  };
};

/** Lapses of the last seven days, in order and by node and time: rules request those of every node in every round. */
interface Recent {
  readonly all: readonly Lapse[];
  readonly byTime: ReadonlyMap<string, Lapse>;
}

const keyOf = (node: string, blockMs: number | undefined): string => `${node} ${blockMs}`;

const endedLease = ({ record, provider }: LedgerRow, rows: readonly LedgerRow[]): EndedLease => {
  const refund = rows.find((other) => other.kind === 'lease_refunded' && other.record === record);
  return {
    leaseId: record,
    provider: provider === '' ? undefined : provider,
    refund: refund?.amount === undefined ? undefined : { amount: refund.amount, denom: refund.denom ?? '' },
  };
};

/** A status message from an already inactive node emits the same event, but ends nothing. */
const readRecent = (store: Store): readonly LedgerRow[] =>
  store
    .all(
      `SELECT * FROM ledger AS fell
       WHERE ${isStatus} AND kind = 'node_inactive' AND block_ms >= (SELECT MAX(block_ms) FROM ledger) - ?
         AND IFNULL((
           SELECT kind FROM ledger
           WHERE node = fell.node AND ${isStatus}
             AND (height < fell.height OR (height = fell.height AND position < fell.position))
           ORDER BY height DESC, position DESC LIMIT 1
         ), '') <> 'node_inactive'
       ORDER BY height, position`,
      recentMs,
    )
    .map(rowOf);

import type { Row, Store } from '../store/store.js';
import type { Entry, EntryKind } from './entry.js';

/** An entry with its block. */
export interface LedgerRow extends Entry {
  readonly height: bigint;
  /** Position within its block. */
  readonly position: number;
  /** Block time in whole milliseconds since 1970, if known. */
  readonly blockMs: number | undefined;
}

/** Rows of a block in order. */
export const rowsAt = (store: Store, height: bigint): readonly LedgerRow[] =>
  store.all('SELECT * FROM ledger WHERE height = ? ORDER BY position', Number(height)).map(rowOf);

export const rowOf = (row: Row): LedgerRow => ({
  height: BigInt(String(row['height'])),
  position: Number(row['position']),
  blockMs: typeof row['block_ms'] === 'number' ? row['block_ms'] : undefined,
  kind: row['kind'] as EntryKind,
  node: textOf(row['node']) ?? '',
  provider: textOf(row['provider']) ?? '',
  account: textOf(row['account']) ?? '',
  record: textOf(row['record']) ?? '',
  amount: textOf(row['amount']),
  stakers: textOf(row['stakers']),
  denom: textOf(row['denom']),
  detail: textOf(row['detail']),
  hours: typeof row['hours'] === 'number' ? row['hours'] : undefined,
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

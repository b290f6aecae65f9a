import type { Row, Store } from '../store/store.js';
import type { Entry, EntryKind } from './hub-events.js';

/** Rows kept; about a year of a fleet of fifty. */
const maxRows = 400_000;

/** An entry with its block. */
export interface LedgerRow extends Entry {
  readonly height: bigint;
  /** Place in its block. */
  readonly position: number;
  /** Block time in whole milliseconds since 1970, where it is known. */
  readonly blockMs: number | undefined;
}

export interface EndedLease {
  readonly leaseId: string;
  readonly provider: string | undefined;
  /** Absent where the block shows no refund. */
  readonly refund: { readonly amount: string; readonly denom: string } | undefined;
}

/** A block in which a node went inactive, and what ended in it. */
export interface Lapse {
  readonly height: bigint;
  readonly ended: readonly EndedLease[];
}

/** Heights whose events were not read. */
export interface Gap {
  readonly first: bigint;
  readonly last: bigint;
  readonly reason: string;
  /** Whether it may still be filled: some endpoint did not say that it has none of the blocks. */
  readonly isOpen: boolean;
}

/** Part of the ledger; every bound is optional and included. */
export interface LedgerRange {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly kinds?: readonly EntryKind[] | undefined;
}

/** Events of watched subjects, kept after the chain deleted the records. */
export interface LedgerStore {
  /** Last height of which nothing is missing but the gaps. */
  position(): bigint | undefined;
  /**
   * Keeps the entries of a block, if any, and moves the position; the position is written with them or by `settle`.
   * `blockMs`: block time in whole milliseconds, where it is known.
   */
  add(height: bigint, entries: readonly Entry[], blockMs?: number): readonly Entry[];
  /** Keeps the entries of a block of the past, and takes its height out of the gaps. The position stays. */
  fill(height: bigint, entries: readonly Entry[], blockMs?: number): readonly Entry[];
  /** Moves the position over heights that could not be read. */
  skip(gap: Gap): void;
  /** Gives the part of an open gap from `first` to `last` up: no endpoint has these blocks. */
  close(gap: Omit<Gap, 'isOpen'>): void;
  /** Sets the position of a new ledger. */
  begin(height: bigint): void;
  /** Writes the position. A block read twice after a crash is stored once. */
  settle(): void;
  /** What ended when the node went inactive in the block of this time; `undefined` when that block is not here. */
  lapse(node: string, blockMs: number): Lapse | undefined;
  gaps(): readonly Gap[];
  /** Rows in the order of the chain. */
  rows(range?: LedgerRange): readonly LedgerRow[];
}

export const createLedgerStore = (store: Store): LedgerStore => {
  let position = readPosition(store);
  let written = position;
  const moveTo = (height: bigint): void => {
    position = height;
    written = height;
    store.run(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      'ledger_height',
      String(height),
    );
  };
  const gaps = (): readonly Gap[] =>
    store.all('SELECT first, last, reason, is_open FROM ledger_gaps ORDER BY first').map((row) => ({
      first: BigInt(String(row['first'])),
      last: BigInt(String(row['last'])),
      reason: String(row['reason']),
      isOpen: row['is_open'] === 1,
    }));
  const keepGap = ({ first, last, reason, isOpen }: Gap): void => {
    store.run(
      'INSERT OR REPLACE INTO ledger_gaps (first, last, reason, is_open) VALUES (?, ?, ?, ?)',
      Number(first),
      Number(last),
      reason,
      isOpen ? 1 : 0,
    );
  };
  /** Takes heights out of the gaps. */
  const cut = (from: bigint, to: bigint): void => {
    for (const gap of gaps()) {
      if (gap.last < from || to < gap.first) continue;
      store.run('DELETE FROM ledger_gaps WHERE first = ?', Number(gap.first));
      if (gap.first < from) keepGap({ ...gap, last: from - 1n });
      if (to < gap.last) keepGap({ ...gap, first: to + 1n });
    }
  };
  /** Gaps that no endpoint can fill grow together. */
  const keepClosed = ({ first, last, reason }: Omit<Gap, 'isOpen'>): void => {
    const closed = gaps().filter((gap) => !gap.isOpen);
    const before = closed.find((gap) => gap.last + 1n === first);
    const after = closed.find((gap) => last + 1n === gap.first);
    if (after !== undefined) store.run('DELETE FROM ledger_gaps WHERE first = ?', Number(after.first));
    keepGap({
      first: before?.first ?? first,
      last: after?.last ?? last,
      reason: before?.reason ?? reason,
      isOpen: false,
    });
  };
  /** A lease whose term is over, and whose policy was to renew, ended because that failed. */
  const withOutcome = (entry: Entry): Entry => {
    if (entry.kind !== 'lease_ended' || entry.detail !== 'term') return entry;
    const policy = store.all(
      "SELECT detail FROM ledger WHERE record = ? AND kind IN ('lease_created', 'lease_updated') ORDER BY height DESC, position DESC LIMIT 1",
      entry.record,
    )[0]?.['detail'];
    return typeof policy === 'string' && policy !== 'unspecified' ? { ...entry, detail: 'renewal_failed' } : entry;
  };
  const keep = (height: bigint, entries: readonly Entry[], blockMs: number | undefined): readonly Entry[] => {
    const isThere = store.all('SELECT 1 FROM ledger WHERE height = ? LIMIT 1', Number(height)).length > 0;
    if (isThere) return [];
    const told = entries.map(withOutcome);
    for (const [index, entry] of told.entries()) {
      const { node, provider, account, kind, record, amount, stakers, denom, detail, hours } = entry;
      store.run(
        `INSERT INTO ledger (height, position, node, provider, account, kind, record, amount, stakers, denom, detail, hours, block_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        Number(height),
        index,
        node,
        provider,
        account,
        kind,
        record,
        amount ?? null,
        stakers ?? null,
        denom ?? null,
        detail ?? null,
        hours ?? null,
        blockMs ?? null,
      );
    }
    store.run(
      'DELETE FROM ledger WHERE height < (SELECT height FROM ledger ORDER BY height DESC LIMIT 1 OFFSET ?)',
      maxRows,
    );
    return told;
  };

  return {
    position: () => position,
    begin: moveTo,
    settle() {
      if (position !== undefined && position !== written) moveTo(position);
    },
    gaps,
    add(height, entries, blockMs) {
      position = height;
      if (entries.length === 0) return [];
      return store.transaction(() => {
        const kept = keep(height, entries, blockMs);
        moveTo(height);
        return kept;
      });
    },
    fill(height, entries, blockMs) {
      return store.transaction(() => {
        cut(height, height);
        return entries.length === 0 ? [] : keep(height, entries, blockMs);
      });
    },
    skip(gap) {
      store.transaction(() => {
        if (gap.isOpen) {
          const before = gaps().find((one) => one.isOpen && one.last + 1n === gap.first && one.reason === gap.reason);
          keepGap({ ...gap, first: before?.first ?? gap.first });
        } else keepClosed(gap);
        moveTo(gap.last);
      });
    },
    close({ first, last, reason }) {
      store.transaction(() => {
        cut(first, last);
        keepClosed({ first, last, reason });
      });
    },
    lapse(node, blockMs) {
      const at = store.all(
        "SELECT height FROM ledger WHERE node = ? AND kind = 'node_inactive' AND block_ms = ? LIMIT 1",
        node,
        blockMs,
      )[0];
      if (at === undefined) return undefined;
      const rows = store
        .all('SELECT * FROM ledger WHERE node = ? AND height = ? ORDER BY position', node, Number(at['height']))
        .map(rowOf);
      const ended = rows
        .filter(({ kind }) => kind === 'lease_ended')
        .map(({ record, provider }): EndedLease => {
          const refund = rows.find((other) => other.kind === 'lease_refunded' && other.record === record);
          return {
            leaseId: record,
            provider: provider === '' ? undefined : provider,
            refund: refund?.amount === undefined ? undefined : { amount: refund.amount, denom: refund.denom ?? '' },
          };
        });
      return { height: BigInt(String(at['height'])), ended };
    },
    rows({ sinceMs, untilMs, kinds } = {}) {
      const rows = store
        .all(
          'SELECT * FROM ledger WHERE (?1 IS NULL OR block_ms >= ?1) AND (?2 IS NULL OR block_ms <= ?2) ORDER BY height, position',
          sinceMs ?? null,
          untilMs ?? null,
        )
        .map(rowOf);
      return kinds === undefined ? rows : rows.filter(({ kind }) => kinds.includes(kind));
    },
  };
};

const rowOf = (row: Row): LedgerRow => ({
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

const readPosition = (store: Store): bigint | undefined => {
  const row = store.all('SELECT value FROM facts WHERE name = ?', 'ledger_height')[0];
  return row === undefined ? undefined : BigInt(String(row['value']));
};

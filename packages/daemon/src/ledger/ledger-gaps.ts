import type { Store } from '../store/store.js';

/** Heights whose events were not read. */
export interface LedgerGap {
  readonly first: bigint;
  readonly last: bigint;
  readonly reason: string;
  /** Whether the gap may still be filled: at least one endpoint did not report that it lacks the blocks. */
  readonly isOpen: boolean;
}

export interface LedgerGaps {
  all(): readonly LedgerGap[];
  /** Whether any of the heights is in a gap. */
  touch(from: bigint, to: bigint): boolean;
  /** Adds heights; merges them with an adjacent earlier gap of the same kind. */
  add(gap: LedgerGap): void;
  /** Removes heights from the gaps. */
  cut(from: bigint, to: bigint): void;
  /** Removes gaps that end below a height: no entries from there are stored. */
  dropBelow(height: bigint): void;
  /** Marks heights as unavailable: no endpoint has their blocks. */
  close(gap: Omit<LedgerGap, 'isOpen'>): void;
}

export const createLedgerGaps = (store: Store): LedgerGaps => {
  const all = (): readonly LedgerGap[] =>
    store.all('SELECT first, last, reason, is_open FROM ledger_gaps ORDER BY first').map((row) => ({
      first: BigInt(String(row['first'])),
      last: BigInt(String(row['last'])),
      reason: String(row['reason']),
      isOpen: row['is_open'] === 1,
    }));
  const keep = ({ first, last, reason, isOpen }: LedgerGap): void => {
    store.run(
      'INSERT OR REPLACE INTO ledger_gaps (first, last, reason, is_open) VALUES (?, ?, ?, ?)',
      Number(first),
      Number(last),
      reason,
      isOpen ? 1 : 0,
    );
  };
  const remove = ({ first }: LedgerGap): void => store.run('DELETE FROM ledger_gaps WHERE first = ?', Number(first));
  /** Merges adjacent gaps that no endpoint can fill. */
  const keepClosed = ({ first, last, reason }: Omit<LedgerGap, 'isOpen'>): void => {
    const closed = all().filter((gap) => !gap.isOpen);
    const before = closed.find((gap) => gap.last + 1n === first);
    const after = closed.find((gap) => last + 1n === gap.first);
    if (after !== undefined) remove(after);
    keep({
      first: before?.first ?? first,
      last: after?.last ?? last,
      reason: before?.reason ?? reason,
      isOpen: false,
    });
  };
  const cut = (from: bigint, to: bigint): void => {
    for (const gap of all()) {
      if (gap.last < from || to < gap.first) continue;
      remove(gap);
      if (gap.first < from) keep({ ...gap, last: from - 1n });
      if (to < gap.last) keep({ ...gap, first: to + 1n });
    }
  };
  return {
    all,
    touch: (from, to) =>
      store.all('SELECT 1 FROM ledger_gaps WHERE first <= ? AND last >= ? LIMIT 1', Number(to), Number(from)).length >
      0,
    cut,
    dropBelow: (height) => store.run('DELETE FROM ledger_gaps WHERE last < ?', Number(height)),
    add(gap) {
      if (!gap.isOpen) {
        keepClosed(gap);
        return;
      }
      const before = all().find((one) => one.isOpen && one.last + 1n === gap.first && one.reason === gap.reason);
      keep({ ...gap, first: before?.first ?? gap.first });
    },
    close(gap) {
      cut(gap.first, gap.last);
      keepClosed(gap);
    },
  };
};

import type { Store } from '../store/store.js';

/** Height from which the entries of each watched subject are complete, except for the gaps. */
export interface SubjectStarts {
  all(): ReadonlyMap<string, bigint>;
  /** Sets the watched addresses from this height on; removed addresses lose their completeness. */
  watch(addresses: readonly string[], from: bigint): void;
  /** Marks subjects as complete from a lower height on. */
  lower(addresses: readonly string[], from: bigint): void;
  /** Records that rows below the height were deleted. */
  raise(from: bigint): void;
}

export const createSubjectStarts = (store: Store): SubjectStarts => {
  const all = (): ReadonlyMap<string, bigint> =>
    new Map(
      store
        .all('SELECT address, first FROM ledger_subjects')
        .map((row) => [String(row['address']), BigInt(String(row['first']))]),
    );
  return {
    all,
    watch(addresses, from) {
      const known = all();
      const watched = new Set(addresses);
      const added = addresses.filter((address) => !known.has(address));
      const gone = [...known.keys()].filter((address) => !watched.has(address));
      if (added.length + gone.length === 0) return;
      store.transaction(() => {
        for (const address of gone) store.run('DELETE FROM ledger_subjects WHERE address = ?', address);
        for (const address of added)
          store.run('INSERT INTO ledger_subjects (address, first) VALUES (?, ?)', address, Number(from));
      });
    },
    lower(addresses, from) {
      for (const address of addresses)
        store.run(
          'INSERT INTO ledger_subjects (address, first) VALUES (?1, ?2) ON CONFLICT (address) DO UPDATE SET first = MIN(first, ?2)',
          address,
          Number(from),
        );
    },
    raise: (from) => store.run('UPDATE ledger_subjects SET first = ?1 WHERE first < ?1', Number(from)),
  };
};

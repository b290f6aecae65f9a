import type { Store } from '../store/store.js';
import { readSums, type SumTable, writeSums } from './sums.js';

/** Counts of a complete list when it was last read to its end. */
export interface SweptList {
  readonly collection: string;
  readonly endpoint: string;
  readonly height: bigint;
  readonly records: number;
  /** The daemon's clock when the read ended. */
  readonly completedMs: number;
  readonly sums: SumTable;
}

/**
 * The latest counts of each list, stored across restarts. After a restart they remain available with their age, and are
 * not read again at once.
 */
export interface SweepStore {
  put(list: SweptList): void;
  all(): readonly SweptList[];
  /** Records when a round began. */
  begin(atMs: number): void;
  /** When the last round began; `undefined` if there was none. */
  begunMs(): number | undefined;
}

const begun = 'sweeps_begun_ms';

export const createSweepStore = (store: Store): SweepStore => ({
  put: ({ collection, endpoint, height, records, completedMs, sums }) =>
    store.run(
      'INSERT OR REPLACE INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES (?, ?, ?, ?, ?, ?)',
      collection,
      endpoint,
      String(height),
      records,
      completedMs,
      writeSums(sums),
    ),
  begin: (atMs) => store.run('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)', begun, String(atMs)),
  begunMs() {
    const [row] = store.all('SELECT value FROM facts WHERE name = ?', begun);
    return row === undefined ? undefined : Number(row['value']);
  },
  all: () =>
    store.all('SELECT collection, endpoint, height, records, completed_ms, sums FROM sweeps').map((row) => ({
      collection: String(row['collection']),
      endpoint: String(row['endpoint']),
      height: BigInt(String(row['height'])),
      records: Number(row['records']),
      completedMs: Number(row['completed_ms']),
      sums: readSums(String(row['sums'])),
    })),
});

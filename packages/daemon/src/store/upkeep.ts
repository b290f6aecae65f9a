import type { Clock } from '@hubwatch/client';
import { turn } from '../turn.js';
import type { KeptStore } from './kept-store.js';
import { drain } from '../slices.js';
import type { Store } from './store.js';
import { countRows, tablesOf } from './table-copy.js';
import { type PruneMoment, tables } from './tables.js';

/** Time between two rounds. */
const everyMs = 3_600_000;

/** Deletes rows past their retention, one table per turn of the event loop. */
export async function pruneStore(store: Store, moment: PruneMoment): Promise<void> {
  for (const { prune } of tables) {
    if (prune === undefined) continue;
    store.transaction(() => prune(store, moment));
    await turn();
  }
}

export interface UpkeepParts {
  readonly store: Store;
  readonly health: Pick<KeptStore, 'fault'>;
  readonly clock: Clock;
  /** The `store.keep` setting, milliseconds. */
  readonly keepMs: number;
  readonly isWatched: (address: string) => boolean;
  readonly onRows: (table: string, rows: number) => void;
}

/** The job that prunes the store and counts its rows. */
export function upkeepJob({ store, health, clock, keepMs, isWatched, onRows }: UpkeepParts) {
  return {
    name: 'store',
    everyMs,
    async run(): Promise<void> {
      // While the file is faulty, not all rows are available.
      if (health.fault() === undefined) {
        const nowMs = clock.nowMs();
        await pruneStore(store, { nowMs, oldMs: nowMs - keepMs, isWatched });
      }
      for (const table of tablesOf(store)) {
        onRows(table.name, await drain(countRows(store, table)));
        await turn();
      }
    },
  };
}

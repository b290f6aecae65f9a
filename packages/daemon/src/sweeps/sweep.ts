import type { ItemOf } from '@hubwatch/types/runtime/method';
import type { ListMethod } from '@hubwatch/client';
import type { Family, Sample } from '../checks/family.js';
import type { Config } from '../config/schema.js';
import type { Sums, SumTable } from './sums.js';

/** Times that apply to a sweep. */
export interface SweepMoment {
  /** Time of the block whose state is read, milliseconds; deadlines are relative to it. */
  readonly chainMs: number;
}

/**
 * A complete list of the network and its counts. One sweep is one file and one line in `list.ts`. Pure: independent of
 * how the list is read. Uses methods, so that an array can contain sweeps of different records.
 */
export interface ListSweep<M extends ListMethod = ListMethod> {
  /** Name of the list in metrics, on the page and in the store. */
  readonly collection: string;
  readonly method: M;
  /** All families that `samples` may return. */
  readonly families: readonly Family[];
  /** Adds one record. An exception ends the sweep: an unreadable record is not counted as something else. */
  add(record: ItemOf<M>, sums: Sums, moment: SweepMoment): void;
  samples(sums: SumTable, config: Pick<Config, 'sweeps'>): readonly Sample[];
}

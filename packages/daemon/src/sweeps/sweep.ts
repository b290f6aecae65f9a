import type { ItemOf } from '@hubwatch/types/runtime/method';
import type { ListMethod } from '@hubwatch/client';
import type { Family, Sample } from '../checks/family.js';
import type { Config } from '../config/schema.js';
import type { Sums, SumTable } from './sums.js';

/** When a sweep is of. */
export interface SweepMoment {
  /** Time of the block whose state is read, milliseconds: deadlines in it are as far away as they were then. */
  readonly chainMs: number;
}

/**
 * A whole list of the network and what is counted of it. One sweep, one file, one line in `list.ts`. Pure: how the list is
 * read is no matter of it. Methods, so that a list can hold sweeps of different records.
 */
export interface ListSweep<M extends ListMethod = ListMethod> {
  /** Name of the list in metrics, on the page and in the store. */
  readonly collection: string;
  readonly method: M;
  /** Every family that `samples` may give. */
  readonly families: readonly Family[];
  /** Adds one record. A throw ends the sweep: what cannot be read is not counted as something else. */
  add(record: ItemOf<M>, sums: Sums, moment: SweepMoment): void;
  samples(sums: SumTable, config: Pick<Config, 'sweeps'>): readonly Sample[];
}

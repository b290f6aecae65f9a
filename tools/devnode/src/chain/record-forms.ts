import { fromJson } from '@hubwatch/types/runtime/json';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import type { StateRecord } from './state-history.js';
import { shiftTimes } from './shift-times.js';

/** Decoded forms of recorded records, with times shifted. Each record is decoded once and shared between heights. */
export class RecordForms {
  readonly #shiftMs: number;
  readonly #known = new WeakMap<StateRecord, unknown>();

  constructor(shiftMs: number) {
    this.#shiftMs = shiftMs;
  }

  of<T>(table: MessageTable<T>, record: StateRecord): T {
    const known = this.#known.get(record);
    if (known !== undefined) return known as T;
    const form = shiftTimes(table, fromJson(table, record), this.#shiftMs);
    this.#known.set(record, form);
    return form;
  }
}

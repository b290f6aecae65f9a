import type { LedgerRow } from './ledger-store.js';
import { endsOfRefunds } from './refund-ends.js';

/** What sums can be taken by. `end`: of a refund, what made it due. */
export const sumKeys = ['year', 'month', 'day', 'kind', 'end', 'node', 'provider', 'account', 'denom'] as const;
export type SumKey = (typeof sumKeys)[number];

/** Entries that have the same keys. Amounts are exact, in the base unit of the denomination. */
export interface LedgerSum {
  readonly keys: Readonly<Partial<Record<SumKey, string>>>;
  readonly entries: number;
  readonly amount: bigint;
  readonly stakers: bigint;
}

/** Sums of the rows that move money. Those of different kinds and denominations are never added up. */
export const sumLedger = (rows: readonly LedgerRow[], by: readonly SumKey[]): readonly LedgerSum[] => {
  const keys = columnsOf(by);
  const ends = endsOfRefunds(rows);
  const sums = new Map<string, LedgerSum>();
  for (const row of rows) {
    if (row.amount === undefined) continue;
    const values = keys.map((key) => [key, key === 'end' ? (ends.get(row) ?? '') : valueOf(row, key)] as const);
    const id = JSON.stringify(values);
    const sum = sums.get(id);
    sums.set(id, {
      keys: Object.fromEntries(values),
      entries: (sum?.entries ?? 0) + 1,
      amount: (sum?.amount ?? 0n) + BigInt(row.amount),
      stakers: (sum?.stakers ?? 0n) + BigInt(row.stakers ?? '0'),
    });
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

/** Keys of sums in their order, with those that are never left out. */
export const columnsOf = (by: readonly SumKey[]): readonly SumKey[] =>
  sumKeys.filter((key) => by.includes(key) || key === 'kind' || key === 'denom');

/** Digits of a UTC date that name a day, a month, a year. */
const dateDigits: Readonly<Partial<Record<SumKey, number>>> = { day: 10, month: 7, year: 4 };

/** Days are those of UTC, by block time. */
const valueOf = (row: LedgerRow, key: Exclude<SumKey, 'end'>): string => {
  if (key !== 'day' && key !== 'month' && key !== 'year') return row[key] ?? '';
  return row.blockMs === undefined ? 'unknown' : new Date(row.blockMs).toISOString().slice(0, dateDigits[key]);
};

import type { LedgerRow } from './ledger-row.js';
import { endsOfRefunds, type RefundEnd } from './refund-ends.js';

/** Keys by which sums can be grouped. `end`: for a refund, the cause that made it due. */
export const sumKeys = ['year', 'month', 'day', 'kind', 'end', 'node', 'provider', 'account', 'denom'] as const;
export type SumKey = (typeof sumKeys)[number];

/** Sum of the entries with equal keys. Amounts are exact, in the base unit of the denomination. */
export interface LedgerSum {
  readonly keys: Readonly<Partial<Record<SumKey, string>>>;
  readonly entries: number;
  readonly amount: bigint;
  readonly stakers: bigint;
}

/** Sums of the rows that move money. Different kinds and denominations are never added up. */
export const sumLedger = (
  rows: readonly LedgerRow[],
  by: readonly SumKey[],
  ends: ReadonlyMap<LedgerRow, RefundEnd> = endsOfRefunds(rows),
): readonly LedgerSum[] => {
  const keys = columnsOf(by);
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    if (row.amount === undefined) continue;
    const values = keys.map((key) => (key === 'end' ? (ends.get(row) ?? '') : valueOf(row, key)));
    const id = values.join('\0');
    const sum = sums.get(id) ?? { keys: keysOf(keys, values), entries: 0, amount: 0n, stakers: 0n };
    if (sum.entries === 0) sums.set(id, sum);
    sum.entries += 1;
    sum.amount += BigInt(row.amount);
    if (row.stakers !== undefined) sum.stakers += BigInt(row.stakers);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

type Sum = { -readonly [K in keyof LedgerSum]: LedgerSum[K] };

const keysOf = (keys: readonly SumKey[], values: readonly string[]): LedgerSum['keys'] =>
  Object.fromEntries(keys.map((key, at) => [key, values[at] ?? '']));

/** Keys of sums in order, including the mandatory ones. */
export const columnsOf = (by: readonly SumKey[]): readonly SumKey[] =>
  sumKeys.filter((key) => by.includes(key) || key === 'kind' || key === 'denom');

/** Number of leading characters of a UTC date that identify a day, a month, a year. */
const dateDigits: Readonly<Partial<Record<SumKey, number>>> = { day: 10, month: 7, year: 4 };

/** Days are UTC days, by block time. */
const valueOf = (row: LedgerRow, key: Exclude<SumKey, 'end'>): string => {
  if (key !== 'day' && key !== 'month' && key !== 'year') return row[key] ?? '';
  return row.blockMs === undefined ? 'unknown' : new Date(row.blockMs).toISOString().slice(0, dateDigits[key]);
};

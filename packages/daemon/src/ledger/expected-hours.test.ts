import { expect, test } from 'vitest';
import { leaseTermsOf } from './expected-hours.js';
import type { LedgerRow } from './ledger-row.js';

const hourMs = 3_600_000;

const row = (kind: LedgerRow['kind'], atMs: number, hours?: number): LedgerRow => ({
  height: 1n,
  position: 0,
  blockMs: 1_000_000 + atMs,
  kind,
  node: 'n',
  provider: 'p',
  account: '',
  record: '4',
  amount: undefined,
  stakers: undefined,
  denom: undefined,
  detail: undefined,
  hours,
});
const paid = (atMs: number) => row('lease_paid', atMs);
const countsOf = (rows: readonly LedgerRow[], nowMs: number) =>
  leaseTermsOf(rows, 1_000_000 + nowMs).map(({ expected, received }) => [expected, received]);

test('expected hours: hours missed by a halted chain are due at once and paid one per block', () => {
  const before = [row('lease_created', 0, 3), paid(6_000)];
  expect(countsOf(before, 6_000)).toEqual([[1, 1]]);
  // The chain halts for five hours; the first block afterwards pays one hour, the next block the other.
  const first = [...before, paid(5 * hourMs)];
  expect(countsOf(first, 5 * hourMs)).toEqual([[3, 2]]);
  const second = [...first, paid(5 * hourMs + 6_000), row('lease_ended', 5 * hourMs + 12_000)];
  expect(countsOf(second, 5 * hourMs + 12_000)).toEqual([[3, 3]]);
});

test('expected hours: none in the block of the start, and never more than the term has', () => {
  expect(countsOf([row('lease_created', 0, 2)], 0)).toEqual([[0, 0]]);
  expect(countsOf([row('lease_created', 0, 2)], 1)).toEqual([[1, 0]]);
  expect(countsOf([row('lease_created', 0, 2)], 9 * hourMs)).toEqual([[2, 0]]);
});

test('expected hours: a renewal is a separate term, whose first hour is due at once', () => {
  const rows = [row('lease_created', 0, 1), paid(1), row('lease_renewed', hourMs, 2), paid(hourMs)];
  expect(countsOf(rows, hourMs)).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test('expected hours: a term that began before the ledger is left out', () => {
  expect(countsOf([paid(1), row('lease_ended', 2)], 3)).toEqual([]);
});

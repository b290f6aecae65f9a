import { expect, test } from 'vitest';
import { beyond, createSums, readSums, sumsOf, writeSums } from './sums.js';

test('sums: exact whatever their size, and the same after they were written and read', () => {
  const sums = createSums();
  sums.add('deposits', 'udvpn', 2n ** 70n);
  sums.add('deposits', 'udvpn', 1n);
  sums.count('nodes', 'active');
  expect(sumsOf(sums.table(), 'deposits').get('udvpn')).toBe(2n ** 70n + 1n);
  expect(readSums(writeSums(sums.table()))).toEqual(sums.table());
  expect(sumsOf(sums.table(), 'absent').size).toBe(0);
});

test('sums: a list of endless denominations fills no memory, and nothing of it is lost', () => {
  const sums = createSums();
  for (let denom = 0; denom < 100_000; denom += 1) sums.add('deposits', `denom${denom}`, 1n);
  const byDenom = sumsOf(sums.table(), 'deposits');
  expect(byDenom.size).toBe(257);
  expect(byDenom.get(beyond)).toBe(99_744n);
  expect([...byDenom.values()].reduce((sum, one) => sum + one)).toBe(100_000n);
});

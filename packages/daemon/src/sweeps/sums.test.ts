import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beyond, createSums, readSums, sumsOf, writeSums } from './sums.js';

test('sums: exact regardless of size, and unchanged after being written and read', () => {
  const sums = createSums();
  sums.add('deposits', 'udvpn', 2n ** 70n);
  sums.add('deposits', 'udvpn', 1n);
  sums.count('nodes', 'active');
  expect(sumsOf(sums.table(), 'deposits').get('udvpn')).toBe(2n ** 70n + 1n);
  expect(readSums(writeSums(sums.table()))).toEqual(sums.table());
  expect(sumsOf(sums.table(), 'absent').size).toBe(0);
});

test('sums: strings and bigints add up correctly, also beyond the safe integer range', () => {
  const amount = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 16n }).map(String),
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
    fc.bigInt({ min: -(10n ** 16n), max: 0n }).map(String),
  );
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 60 }), (amounts) => {
      const sums = createSums();
      for (const one of amounts) sums.add('bytes', 'download', one);
      const truth = amounts.reduce<bigint>((sum, one) => sum + BigInt(one), 0n);
      expect(sumsOf(sums.table(), 'bytes').get('download') ?? 0n).toBe(truth);
    }),
  );
});

test('sums: many small strings lose no unit where a number would round', () => {
  const sums = createSums();
  const text = '999999999999999';
  for (let no = 0; no < 40; no += 1) sums.add('bytes', 'download', text);
  sums.add('bytes', 'download', '1');
  expect(sumsOf(sums.table(), 'bytes').get('download')).toBe(40n * BigInt(text) + 1n);
});

test.each(['1.5', '12x', 'NaN'])('sums: %s is rejected, not counted as a different value', (text) => {
  expect(() => createSums().add('bytes', 'download', text)).toThrow(SyntaxError);
});

test('sums: a list with endless denominations has bounded memory, and no amount is lost', () => {
  const sums = createSums();
  for (let denom = 0; denom < 100_000; denom += 1) sums.add('deposits', `denom${denom}`, 1n);
  const byDenom = sumsOf(sums.table(), 'deposits');
  expect(byDenom.size).toBe(257);
  expect(byDenom.get(beyond)).toBe(99_744n);
  expect([...byDenom.values()].reduce((sum, one) => sum + one)).toBe(100_000n);
});

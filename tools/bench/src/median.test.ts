import { expect, it } from 'vitest';
import { median } from './median.js';

it.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])('median: of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

it('median: rejects an empty list instead of returning 0', () => {
  expect(() => median([])).toThrow('no values');
});

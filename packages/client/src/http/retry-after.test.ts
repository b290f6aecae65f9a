import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.js';

const now = Date.UTC(2026, 10, 28, 12, 0, 0);

it.each<[string | undefined, number | undefined]>([
  ['3', 3_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['Sat, 28 Nov 2026 12:00:30 GMT', 30_000],
  ['Sat, 28 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['99999999', 3_600_000],
  ['2200000', 3_600_000],
  ['99999999999999999999', 3_600_000],
  ['Mon, 28 Dec 2099 12:00:00 GMT', 3_600_000],
  ['2026', 2_026_000],
  [undefined, undefined],
])('Retry-After %j: %j ms', (text, ms) => {
  expect(readRetryAfter(text, now)).toBe(ms);
});

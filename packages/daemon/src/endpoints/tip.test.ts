import { expect, test } from 'vitest';
import { createTip } from './tip.js';

type Report = readonly [endpoint: string, height: number];

const after = (...reports: readonly Report[]) => {
  const tip = createTip();
  reports.forEach(([endpoint, height], index) => tip.take(endpoint, BigInt(height), index));
  return tip.seen();
};

test.each<[string, readonly Report[], { sinceMs: number; hasMoved: boolean } | undefined]>([
  ['no report', [], undefined],
  ['the first report is no step', [['a', 10]], { sinceMs: 0, hasMoved: false }],
  [
    'two that stand at different heights are no step',
    [
      ['a', 10],
      ['b', 11],
      ['a', 10],
    ],
    { sinceMs: 0, hasMoved: false },
  ],
  [
    'one that fetches the last block of the others is no step',
    [
      ['a', 9],
      ['b', 10],
      ['a', 10],
    ],
    { sinceMs: 0, hasMoved: false },
  ],
  [
    'one step may be two servers behind one address',
    [
      ['a', 10],
      ['a', 11],
    ],
    { sinceMs: 1, hasMoved: false },
  ],
  [
    'two steps are a chain that moves',
    [
      ['a', 10],
      ['a', 11],
      ['a', 12],
    ],
    { sinceMs: 2, hasMoved: true },
  ],
  [
    'two servers behind one address that stand',
    [
      ['a', 10],
      ['a', 11],
      ['a', 10],
      ['a', 11],
      ['a', 10],
      ['a', 11],
    ],
    { sinceMs: 1, hasMoved: false },
  ],
  [
    'steps of two endpoints',
    [
      ['a', 10],
      ['b', 10],
      ['a', 11],
      ['b', 11],
      ['b', 12],
    ],
    { sinceMs: 4, hasMoved: true },
  ],
])('tip: %s', (_case, reports, expected) => {
  expect(after(...reports)).toEqual(expected);
});

test('tip: after a chain rollback the new height is followed', () => {
  const lower = Array.from({ length: 12 }, (_, index): Report => ['a', 100 + index]);
  expect(after(['a', 1_000], ['a', 1_001], ['a', 1_002], ...lower)).toEqual({ sinceMs: 14, hasMoved: true });
});

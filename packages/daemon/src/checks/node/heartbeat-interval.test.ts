import { expect, test } from 'vitest';
import { learnedIntervalMs } from './heartbeat-interval.js';

const timesOf = (...gaps: number[]): number[] =>
  gaps.reduce((times, gap) => [...times, (times.at(-1) ?? 0) + gap], [0]);

test.each<[string, number[], number | undefined]>([
  ['four intervals are too few', [54, 54, 54, 54], undefined],
  ['five are enough', [54, 55, 53, 54, 54], 54],
  ['an even number takes the middle of the two middle ones', [50, 50, 50, 56, 56, 56], 53],
  ['lapses are no habit', [54, 54, 54, 54, 54, 60, 200, 200, 200, 200, 200], 54],
  ['only the last twenty count', [...Array<number>(20).fill(30), ...Array<number>(20).fill(54)], 54],
])('heartbeat interval: %s', (_case, gaps, expected) => {
  expect(learnedIntervalMs(timesOf(...gaps), 60)).toBe(expected);
});

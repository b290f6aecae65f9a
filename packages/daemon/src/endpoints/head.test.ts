import { expect, test } from 'vitest';
import { agreedHead, type ReportedHead } from './head.js';

const at = (height: number, facts: Partial<ReportedHead> = {}): ReportedHead => ({
  height: BigInt(height),
  timeMs: height * 10,
  catchingUp: false,
  rightChain: true,
  ...facts,
});

test.each<[string, ReportedHead[], number | undefined]>([
  ['no endpoint', [], undefined],
  ['one endpoint', [at(100)], 100],
  ['two at the tip: the older block both have', [at(100), at(101)], 100],
  ['one of two stuck: the live one', [at(100), at(1_000)], 1_000],
  ['one of three ahead of everything: the agreeing two', [at(100), at(101), at(9_000)], 101],
  ['one of three stuck: the agreeing two', [at(5), at(100), at(101)], 100],
  ['one catching up beside a synced one', [at(100), at(2_000, { catchingUp: true })], 100],
  ['all catching up: still a head', [at(100, { catchingUp: true })], 100],
  ['another chain is not believed', [at(100), at(101), at(5_000, { rightChain: false })], 100],
  ['only another chain', [at(100, { rightChain: false })], undefined],
])('agreed head: %s', (_case, heads, expected) => {
  expect(agreedHead(heads)?.height).toBe(expected === undefined ? undefined : BigInt(expected));
});

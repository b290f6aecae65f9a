import { expect, test } from 'vitest';
import { agreedHead, type ReportedHead } from './head.js';

const start = 1_800_000_000_000;
const clockMs = start + 600_000;

const at = (height: number, facts: Partial<ReportedHead> = {}): ReportedHead => ({
  height: BigInt(height),
  timeMs: start + height * 10,
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
  ['two stuck for hours, one live: the live one', [at(1_000), at(1_000), at(50_000, { timeMs: clockMs })], 50_000],
  ['two, one with an absurd height', [at(100), at(1e18)].map((one) => ({ ...one, timeMs: start })), 100],
  ['two, one of the future', [at(100), at(110, { timeMs: clockMs + 61_000 })], 100],
  [
    'one stuck, two live by a clock that is slow',
    [at(5), ...[100, 101].map((height) => ({ ...at(height), timeMs: clockMs + 300_000 }))],
    100,
  ],
  [
    'one stuck, one that advances by a clock that is slow',
    [at(5, { advances: false }), at(100, { timeMs: clockMs + 300_000, advances: true })],
    100,
  ],
  [
    'one of the future beside one that advances',
    [at(5, { advances: true }), at(100, { timeMs: clockMs + 300_000, advances: true })],
    5,
  ],
  ['one, by a clock that is slow', [at(100, { timeMs: clockMs + 61_000 })], 100],
  ['one, of an impossible time', [at(100, { timeMs: 1e19 })], undefined],
  ['only another chain', [at(100, { rightChain: false })], undefined],
])('agreed head: %s', (_case, heads, expected) => {
  expect(agreedHead(heads, clockMs)?.height).toBe(expected === undefined ? undefined : BigInt(expected));
});

import { expect, test } from 'vitest';
import { hourMs, leaseOf } from '../../../test/lease-records.js';
import { type UnpaidHours, unpaidHours } from './unpaid-hours.js';

const minute = 60_000;

test('unpaid hours: an hour that is due keeps the height at which it was first seen unpaid', () => {
  const lease = leaseOf();
  const seen = (height: bigint, headMs: number, before?: UnpaidHours) =>
    unpaidHours([lease], height, headMs, before).get(4n)?.height;
  expect(seen(50n, hourMs - 1)).toBeUndefined();
  const first = unpaidHours([lease], 50n, hourMs, undefined);
  expect(first.get(4n)?.height).toBe(50n);
  expect(seen(60n, hourMs + minute, first)).toBe(50n);
  expect(seen(60n, hourMs + minute)).toBe(60n);
  expect(unpaidHours([lease], undefined, 9 * hourMs, first).size).toBe(0);
});

test('unpaid hours: hours that are paid block by block after a halt are counted one by one', () => {
  let before: UnpaidHours | undefined;
  for (let block = 0n; block < 5n; block += 1n) {
    before = unpaidHours([leaseOf({ hours: 1n + block })], 100n + block, 6 * hourMs, before);
    expect(before.get(4n)?.height).toBe(100n + block);
  }
});

test('unpaid hours: a renewal or an older state starts again', () => {
  const first = unpaidHours([leaseOf()], 50n, 2 * hourMs, undefined);
  const renewed = leaseOf({ startAt: { seconds: 60n, nanos: 0 } });
  expect(unpaidHours([renewed], 60n, 2 * hourMs, first).get(4n)?.height).toBe(60n);
  expect(unpaidHours([leaseOf()], 40n, 2 * hourMs, first).get(4n)?.height).toBe(40n);
});

import { expect, test } from 'vitest';
import { fakeClock } from '../test/fake-clock.js';
import { pause } from '@hubwatch/client';
import { demoClock } from './clock.js';

test('demo clock: the time of day follows the chain at its speed, timers do not', () => {
  const base = fakeClock(1_000_000);
  const demo = demoClock({ startWallMs: 1_000_000, startChainMs: 50_000_000, speed: 60 }, base);
  let ran = false;
  demo.setTimeout(() => {
    ran = true;
  }, 2_000);
  base.advance(1_000);
  expect(demo.nowMs()).toBe(50_060_000);
  expect(demo.monotonicMs()).toBe(1_000);
  expect(ran).toBe(false);
  base.advance(1_000);
  expect(ran).toBe(true);
});

test('pause: ends at its time, or at once if aborted, and leaves no timer', async () => {
  const clock = fakeClock();
  const timed = pause(clock, 500);
  clock.advance(500);
  await timed;
  const stop = new AbortController();
  const aborted = pause(clock, 500, stop.signal);
  stop.abort();
  await aborted;
  await pause(clock, 500, stop.signal);
  expect(clock.pending()).toBe(0);
});

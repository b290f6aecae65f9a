import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { demoClock } from '../clock.js';
import { startAwakeTime } from './awake-time.js';

/** A clock whose timers run late by the duration of a simulated stall. */
const stallingClock = () => {
  const base = fakeClock();
  let lostMs = 0;
  let jumpedMs = 0;
  return {
    ...base,
    nowMs: () => base.nowMs() + lostMs + jumpedMs,
    monotonicMs: () => base.monotonicMs() + lostMs,
    /** Advances time without running anything. */
    stall: (ms: number) => void (lostMs += ms),
    jump: (ms: number) => void (jumpedMs += ms),
  };
};

test('awake time: a stall is not counted, is known before the next tick, and is reported after it', () => {
  const clock = stallingClock();
  let reported = 0;
  const awake = startAwakeTime({ clock, onLongStall: () => (reported += 1) });
  clock.advance(10_000);
  expect([awake.nowMs(), awake.lostMs(0), awake.lastStallMs()]).toEqual([10_000, 0, undefined]);
  clock.stall(60_000);
  expect(awake.lostMs(clock.monotonicMs() - 5_000)).toBe(5_000);
  expect(awake.lostMs(0)).toBe(59_000);
  expect(awake.lastStallMs()).toBe(clock.monotonicMs());
  expect(awake.nowMs()).toBe(11_000);
  expect(reported).toBe(0);
  const endMs = clock.monotonicMs();
  clock.advance(2_000);
  expect(reported).toBe(1);
  expect(awake.nowMs()).toBe(12_000);
  expect(awake.lostMs(0)).toBe(60_000);
  expect(awake.lastStallMs()).toBe(endMs + 1_000);
  awake.stop();
  expect(clock.pending()).toBe(0);
});

test('awake time: a short stall makes no reading obsolete', () => {
  const clock = stallingClock();
  let reported = 0;
  const awake = startAwakeTime({ clock, onLongStall: () => (reported += 1) });
  clock.stall(4_000);
  clock.advance(5_000);
  expect([reported, awake.lastStallMs()]).toEqual([0, undefined]);
  expect(awake.lostMs(0)).toBe(4_000);
});

test('awake time: a jump of the time of day is recorded and changes nothing; with monotonic time it is not a jump', () => {
  const clock = stallingClock();
  const awake = startAwakeTime({ clock });
  clock.advance(5_000);
  clock.stall(600_000);
  clock.advance(5_000);
  expect(awake.lastJump()).toBeUndefined();
  clock.jump(-86_400_000);
  clock.advance(1_000);
  expect(awake.lastJump()).toEqual({ atMs: clock.monotonicMs(), byMs: -86_400_000 });
  expect(awake.nowMs()).toBe(11_000);
});

test('awake time: advances at the speed of a demo', () => {
  const base = fakeClock();
  const clock = demoClock({ startWallMs: base.nowMs(), startChainMs: 0, speed: 60 }, base);
  const awake = startAwakeTime({ clock });
  base.advance(2_500);
  expect(awake.nowMs()).toBe(150_000);
  expect(awake.lastJump()).toBeUndefined();
});

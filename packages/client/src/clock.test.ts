import { expect, test } from 'vitest';
import { longestTimerMs, pause, systemClock, timerMs } from './clock.js';
import { joinSignals, startTimeout } from './signals.js';

test.each([
  [Number.NaN, 0],
  [-5, 0],
  [1_500, 1_500],
  [99_999_999_000, longestTimerMs],
  [Number.POSITIVE_INFINITY, longestTimerMs],
])('timerMs: %s is clamped to the range of platform timers', (given, clamped) => {
  expect(timerMs(given)).toBe(clamped);
});

test('systemClock: a delay beyond the range of the platform timer does not fire immediately', async () => {
  const fired: string[] = [];
  const cancel = systemClock.setTimeout(() => fired.push('overflow'), 99_999_999_000);
  await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 5));
  cancel();
  expect(fired).toEqual([]);
});

test('pause: an aborted signal ends it and removes the listener', async () => {
  const stop = new AbortController();
  const waiting = pause(systemClock, longestTimerMs, stop.signal);
  stop.abort();
  await waiting;
  await pause(systemClock, longestTimerMs, stop.signal);
});

test('startTimeout: aborts with a timeout error when its time is over', async () => {
  const timeout = startTimeout(1);
  await new Promise((resolve) => timeout.signal.addEventListener('abort', resolve));
  expect(timeout.isOver()).toBe(true);
});

test('startTimeout: another signal ends it earlier with its own reason', () => {
  const stop = new AbortController();
  const timeout = startTimeout(longestTimerMs, { signals: [undefined, stop.signal] });
  stop.abort('enough');
  expect([timeout.signal.aborted, timeout.signal.reason, timeout.isOver()]).toEqual([true, 'enough', false]);
});

test('joinSignals: a signal that is already aborted aborts the result; after clear nothing does', () => {
  expect(joinSignals([AbortSignal.abort('before')]).signal.reason).toBe('before');
  const stop = new AbortController();
  const joined = joinSignals([stop.signal]);
  joined.clear();
  stop.abort();
  expect(joined.signal.aborted).toBe(false);
});

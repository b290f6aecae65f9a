import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { turn } from '../turn.js';
import { eachLimited, type Job, startJob } from './interval-job.js';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('interval job: runs at once, then at fixed times, also after a round that threw', async () => {
  const clock = fakeClock(0);
  const times: number[] = [];
  const errors: unknown[] = [];
  const job = startJob(
    {
      name: 'j',
      everyMs: 10,
      run: () => {
        times.push(clock.nowMs());
        return times.length === 2 ? Promise.reject(new Error('no')) : Promise.resolve();
      },
    },
    clock,
    { skipped: () => undefined, threw: (_job, error) => errors.push(error) },
  );
  for (let step = 0; step < 3; step += 1) {
    await settle();
    clock.advance(10);
  }
  await settle();
  await job.stop();
  expect(times).toEqual([0, 10, 20, 30]);
  expect(errors).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

test('interval job: after any number of wake calls it runs one more round as soon as possible', async () => {
  const clock = fakeClock(0);
  const starts: number[] = [];
  let release: () => void = () => undefined;
  const run = (): Promise<void> => {
    starts.push(clock.nowMs());
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  const job = startJob({ name: 'j', everyMs: 10, run }, clock, { skipped: () => undefined, threw: () => undefined });
  await settle();
  // The round in progress may have read before the event.
  for (let times = 0; times < 3; times += 1) job.wake();
  await settle();
  expect(starts).toEqual([0]);
  clock.advance(3);
  release();
  await settle();
  expect(starts).toEqual([0, 3]);
  job.wake();
  release();
  await settle();
  expect(starts).toEqual([0, 3, 3]);
  release();
  clock.advance(7);
  await settle();
  expect(starts).toEqual([0, 3, 3, 10]);
  release();
  await job.stop();
});

test('interval job: woken for subjects, a round covers all subjects named before it began', async () => {
  const clock = fakeClock(0);
  const rounds: unknown[] = [];
  let release: () => void = () => undefined;
  const run: Job['run'] = (_signal, { only, isTimetable } = {}) => {
    rounds.push(only === undefined ? (isTimetable === true ? 'timetable' : 'all') : [...only].toSorted());
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  const job = startJob({ name: 'j', everyMs: 10, run }, clock, { skipped: () => undefined, threw: () => undefined });
  await settle();
  job.wake(new Set(['b']));
  job.wake(new Set(['a', 'b']));
  release();
  await settle();
  job.wake(new Set(['c']));
  job.wake();
  job.wake(new Set(['d']));
  release();
  await settle();
  release();
  clock.advance(10);
  await settle();
  expect(rounds).toEqual(['all', ['a', 'b'], 'all', 'timetable']);
  release();
  await job.stop();
});

test('interval job: a round that takes too long skips later ones, they never overlap', async () => {
  const clock = fakeClock(0);
  const starts: number[] = [];
  let skipped = 0;
  let release: () => void = () => undefined;
  const job = startJob(
    {
      name: 'j',
      everyMs: 10,
      run: () => {
        starts.push(clock.nowMs());
        return new Promise((resolve) => {
          release = resolve;
        });
      },
    },
    clock,
    { skipped: (_job, rounds) => (skipped += rounds), threw: () => undefined },
  );
  await settle();
  clock.advance(25);
  release();
  await settle();
  clock.advance(4);
  await settle();
  expect(starts).toEqual([0]);
  clock.advance(1);
  await settle();
  release();
  await job.stop();
  expect(starts).toEqual([0, 30]);
  expect(skipped).toBe(2);
});

test('interval job: stop aborts the running round', async () => {
  const clock = fakeClock(0);
  const job = startJob(
    {
      name: 'j',
      everyMs: 10,
      run: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    },
    clock,
    { skipped: () => undefined, threw: () => expect.unreachable() },
  );
  await job.stop();
});

test('eachLimited: every item once, never more than the limit at a time', async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  await eachLimited([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turns = 0; turns < 3; turns++) await turn();
    seen.push(item);
    running -= 1;
  });
  expect(most).toBe(2);
  expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
});

test('eachLimited: one item begins per turn of the event loop, regardless of the limit', async () => {
  let turnsPassed = 0;
  const begunAt: number[] = [];
  const items = Array.from({ length: 20 }, (_, no) => no);
  const countTurns = async (): Promise<void> => {
    while (begunAt.length < items.length) {
      await turn();
      turnsPassed += 1;
    }
  };
  const counted = countTurns();
  await eachLimited(items, Number.POSITIVE_INFINITY, async () => {
    begunAt.push(turnsPassed);
    await counted;
  });
  expect(new Set(begunAt).size).toBe(items.length);
});

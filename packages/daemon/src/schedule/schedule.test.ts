import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import type { Job } from './interval-job.js';
import { startSchedule } from './schedule.js';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A schedule whose first job hangs in its first round until it is stopped. */
const scheduleOn = () => {
  const clock = fakeClock(0);
  const begun: string[] = [];
  let find: () => void = () => undefined;
  const found = new Promise<void>((resolve) => {
    find = resolve;
  });
  const hanging: Job = {
    name: 'first',
    everyMs: 10,
    run: (signal) =>
      new Promise((resolve) => {
        begun.push('first');
        signal.addEventListener('abort', () => resolve());
      }),
  };
  const other: Job = {
    name: 'other',
    everyMs: 10_000,
    run: () => {
      begun.push('other');
      return Promise.resolve();
    },
  };
  const observer = { skipped: () => undefined, threw: () => undefined };
  const schedule = startSchedule([hanging, other], clock, observer, { found, limitMs: 1_000 });
  return { schedule, clock, begun, find };
};

test('schedule: the other jobs start as soon as the first has found the facts they need, while its round hangs', async () => {
  const { schedule, begun, find } = scheduleOn();
  await settle();
  expect(begun).toEqual(['first']);
  find();
  await settle();
  expect(begun).toEqual(['first', 'other']);
  await schedule.stop();
});

test('schedule: the other jobs wait no longer than the limit for a first job that finds nothing', async () => {
  const { schedule, begun, clock } = scheduleOn();
  clock.advance(999);
  await settle();
  expect(begun).toEqual(['first']);
  clock.advance(1);
  await settle();
  expect(begun).toEqual(['first', 'other']);
  await schedule.stop();
});

test('schedule: nothing starts after a stop', async () => {
  const { schedule, begun, clock } = scheduleOn();
  await schedule.stop();
  clock.advance(1_000);
  await settle();
  expect(begun).not.toContain('other');
});

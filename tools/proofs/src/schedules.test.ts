import { expect, test } from 'vitest';
import { schedules } from './schedules.js';

test('schedules: around clock changes each time of a timetable runs once', async () => {
  const { passed, total, counterExample, figures } = await schedules.run({ seed: 7, runs: 25, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect([passed, total]).toEqual([25, 25]);
  expect(figures?.['times']).toBeGreaterThan(50);
});

import { expect, test } from 'vitest';
import { oneOfEach } from './one-of-each.js';

test('one of each: the packed client and daemon report the same for a dozen failures', async () => {
  const problems: string[] = [];
  const outcome = await oneOfEach.run({ seed: 11, runs: 12, log: (line) => problems.push(line) });
  expect(problems).toEqual([]);
  expect(outcome.passed).toBe(12);
});

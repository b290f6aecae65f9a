import { expect, test } from 'vitest';
import { lastWord } from './last-word.js';

test('last-word: 50 kills of packed daemons and of their alert stages, also at the start, in a migration and while sending', async () => {
  const outcome = await lastWord.run({ seed: 1, runs: 50, log: () => undefined });
  const { passed, total, counterExample, figures = {} } = outcome;
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  expect(total).toBeGreaterThan(100);
  expect(figures).toMatchObject({ kills: 50, 'kills of the packed': 10, 'kills of the child': 40 });
  const killed = (...moments: string[]): number =>
    moments.reduce((sum, moment) => sum + Number(figures[`killed ${moment}`] ?? 0), 0);
  // On a busy machine a kill aimed at the migration can come after its end.
  expect(killed('at its start', 'while it migrated')).toBeGreaterThan(0);
  for (const moment of ['while it sent', 'between']) expect(killed(moment), moment).toBeGreaterThan(0);
  expect(figures['messages']).toBeGreaterThan(100);
  expect(figures['rows']).toBeGreaterThan(200);
}, 600_000);

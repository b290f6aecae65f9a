import { expect, test } from 'vitest';
import { lastWord } from './last-word.js';

test('last-word: a small run passes, and its counts show that processes were killed while they sent', async () => {
  const { passed, total, counterExample, figures } = await lastWord.run({ seed: 1, runs: 8, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  expect(total).toBeGreaterThan(40);
  expect(figures?.['kills']).toBe(8);
  expect(figures?.['messages']).toBeGreaterThan(50);
  expect(figures?.['rows']).toBeGreaterThan(50);
}, 300_000);

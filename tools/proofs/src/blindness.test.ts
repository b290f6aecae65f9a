import { expect, it } from 'vitest';
import { blindness } from './blindness.js';

it('blindness: a few random histories without false alerts or false recoveries', async () => {
  const outcome = await blindness.run({ seed: 3, runs: 6, log: () => undefined });
  expect(outcome.counterExample).toBeUndefined();
  expect(outcome.passed).toBe(6);
}, 120_000);

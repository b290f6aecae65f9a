import { expect, it } from 'vitest';
import { heartbeat } from './heartbeat.js';

it('heartbeat: random habits; each end is detected in time and never too early', async () => {
  const { passed, total, counterExample, figures } = await heartbeat.run({ seed: 7, runs: 40, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect([passed, total]).toEqual([40, 40]);
  expect(figures?.['renewals without a notice']).toBeGreaterThan(500);
});

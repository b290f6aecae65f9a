import { expect, it } from 'vitest';
import { heartbeat } from './heartbeat.js';

it('heartbeat: random habits, each noticed in time when it ends and never before', async () => {
  const { passed, total, counterExample, figures } = await heartbeat.run({ seed: 7, runs: 40, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect([passed, total]).toEqual([40, 40]);
  expect(figures?.['renewals without a notice']).toBeGreaterThan(500);
});

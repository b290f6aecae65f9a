import { expect, it } from 'vitest';
import { smallWatch } from './small-watch.js';

it('small-watch: every block once and in order, through faults of websocket and HTTP', async () => {
  const { passed, total, counterExample, figures } = await smallWatch.run({ seed: 5, runs: 1, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect([passed, total]).toEqual([40, 40]);
  expect(Number(figures?.['faults'])).toBeGreaterThan(10);
});

import { expect, it } from 'vitest';
import { hostileProtos } from './hostile-protos.js';

it('hostile descriptor sets: nothing is written outside the target, nothing runs, contradictions are reported', async () => {
  const { passed, total, counterExample, figures } = await hostileProtos.run({
    seed: 12,
    runs: 40,
    log: () => undefined,
  });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  expect(figures?.['accepted']).toBeGreaterThan(5);
  expect(figures?.['contradictions']).toBeGreaterThan(0);
});

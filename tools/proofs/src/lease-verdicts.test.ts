import { expect, it } from 'vitest';
import { leaseVerdicts } from './lease-verdicts.js';

it('lease-verdicts: one block before a term ends, the checks predict its renewal or end', async () => {
  const { passed, total, counterExample } = await leaseVerdicts.run({ seed: 7, runs: 12, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  expect(total).toBeGreaterThan(12);
});

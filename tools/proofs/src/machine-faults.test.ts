import { expect, it } from 'vitest';
import { machineFaultRows } from './machine-fault-rows.js';
import { machineFaults, missingHere } from './machine-faults.js';

it('machine faults: each once; notified, nothing lost, healthy again', async () => {
  const { passed, total, counterExample } = await machineFaults.run({ seed: 5, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  const missing = missingHere();
  expect(total).toBe(machineFaultRows.filter(({ needs }) => needs === undefined || !missing.has(needs)).length);
});

import { expect, it } from 'vitest';
import { machineFaultRows } from './machine-fault-rows.js';
import { machineFaults } from './machine-faults.js';

it('machine faults: each once: notified, nothing lost, healthy again', async () => {
  const { passed, total, counterExample } = await machineFaults.run({ seed: 5, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  const isRoot = process.getuid?.() === 0;
  expect(total).toBe(machineFaultRows.filter(({ needsRoot }) => isRoot || needsRoot !== true).length);
});

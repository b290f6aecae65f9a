import { expect, it } from 'vitest';
import { cli } from './cli.js';

it('cli: the packed programs behave as documented', async () => {
  const { passed, total, counterExample } = await cli.run({ seed: 12, runs: 200, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
});

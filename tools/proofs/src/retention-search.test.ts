import { expect, it } from 'vitest';
import { retentionSearch } from './retention-search.js';

it('retention-search: for random nodes, finds the right lowest state within the query budget', async () => {
  const { passed, total, counterExample, figures } = await retentionSearch.run({
    seed: 11,
    runs: 400,
    log: () => undefined,
  });
  expect(counterExample).toBeUndefined();
  expect([passed, total]).toEqual([400, 400]);
  expect(figures?.['cold: max queries']).toBeLessThanOrEqual(27);
  expect(figures?.['warm: max queries']).toBeLessThanOrEqual(3);
  expect(figures?.['looks held up by a fault']).toBeGreaterThan(0);
});

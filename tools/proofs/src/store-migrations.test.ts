import { migrations } from '@hubwatch/daemon/parts';
import { expect, test } from 'vitest';
import { storeMigrations } from './store-migrations.js';

test('store-migrations: from every version, with kills in between, no row is lost and no schema is incomplete', async () => {
  const { passed, total, counterExample, figures } = await storeMigrations.run({
    seed: 11,
    runs: storeMigrations.defaultRuns,
    log: () => undefined,
  });
  expect(counterExample).toBeUndefined();
  expect(passed).toBe(total);
  expect(total).toBe(migrations.length);
  expect(figures?.['kills']).toBeGreaterThan(10);
});

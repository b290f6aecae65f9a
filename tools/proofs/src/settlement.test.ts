import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordingsFolder } from './recordings.js';
import { settlement } from './settlement.js';

describe('settlement', () => {
  it('recorded settlements: the chain moved the expected amounts', async () => {
    const { passed, total, counterExample } = await settlement.run({
      seed: 1,
      chain: join(recordingsFolder, 'day'),
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect([passed, total]).toEqual([4_260, 4_260]);
  });
});

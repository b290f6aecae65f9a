import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerGolden } from './ledger-golden.js';
import { recordingsFolder } from './recordings.js';

describe('ledger-golden', () => {
  it('a recorded chain: recorded correctly across a kill, with the forecast ends', async () => {
    const chain = join(recordingsFolder, 'chain');
    const { passed, total, counterExample, figures } = await ledgerGolden.run({
      seed: 7,
      runs: 1,
      chain,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures).toMatchObject({ 'payments and refunds': '2839 of 2839', 'lease terms': '4 of 4' });
  });
});

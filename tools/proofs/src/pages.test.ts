import { describe, expect, it } from 'vitest';
import { pagesProof } from './pages.js';

describe('pages', () => {
  it('lists that change during the read: the true list at one height, never reported as complete otherwise', async () => {
    const { passed, total, counterExample, figures } = await pagesProof.run({
      seed: 3,
      runs: 120,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect([passed, total]).toEqual([120, 120]);
    const [whole, held] = String(figures?.['complete where the height stayed held']).split(' of ');
    expect(whole).toBe(held);
  });
});

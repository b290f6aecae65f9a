import { describe, expect, it } from 'vitest';
import { retentionRefusals } from './retention-refusals.js';

describe('retention-refusals', () => {
  it('calls at random heights: the right error class, and the lowest height if the node reports it', async () => {
    const { passed, total, counterExample, figures } = await retentionRefusals.run({
      seed: 7,
      runs: 1_000,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    for (const code of [
      'height_never_existed',
      'height_not_retained',
      'height_in_future',
      'stopped_for_upgrade',
      'starting',
      'stopped_for_upgrade, of the call itself',
    ]) {
      expect(figures).toHaveProperty(code);
    }
  });
});

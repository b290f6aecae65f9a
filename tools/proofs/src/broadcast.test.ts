import { describe, expect, it } from 'vitest';
import { broadcastProof } from './broadcast.js';

describe('broadcast', () => {
  it("transactions with faults in transit: the reported outcome matches the node's, and each is sent once", async () => {
    const { passed, total, counterExample, figures } = await broadcastProof.run({
      seed: 5,
      runs: 40,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures?.['recorded transactions written again']).toBe('2197 of 2197');
  });
});

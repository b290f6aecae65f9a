import { describe, expect, it } from 'vitest';
import { goldenRpc } from './golden-rpc.js';

describe('golden-rpc', () => {
  it('recorded results and event frames: all of them decode', async () => {
    const { passed, total, counterExample, figures } = await goldenRpc.run({ seed: 1, log: () => undefined });
    expect(counterExample).toBeUndefined();
    expect([passed, total]).toEqual([801, 801]);
    expect(figures).toMatchObject({ status: '12 of 12', block_results: '45 of 45', 'event Tx': '30 of 30' });
  });
});

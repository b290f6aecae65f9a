import { describe, expect, it } from 'vitest';
import { optionalMembers } from './optional-members.js';

describe('optional-members', () => {
  it('absent members: each affects no other member, over every transport', async () => {
    const { passed, total, counterExample, figures } = await optionalMembers.run({
      seed: 12,
      runs: 20,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(Object.keys(figures ?? {})).toEqual(
      expect.arrayContaining(['rest', 'rest, compiled', 'grpc', 'grpc, compiled', 'event NewBlock', 'typed events']),
    );
  });
});

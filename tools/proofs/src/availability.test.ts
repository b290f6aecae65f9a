import { readSpec } from '@hubwatch/codegen';
import { describe, expect, it } from 'vitest';
import { availability } from './availability.js';
import { judge, type Pair, pairsOf, repositoryRoot } from './availability-types.js';

describe('availability', () => {
  it('availability: an unserved pair neither compiles nor is sent, and a changed line of the spec fails its own test', async () => {
    const { passed, total, counterExample, figures } = await availability.run({
      seed: 3,
      runs: 1,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures).toEqual({
      methods: 236,
      'served pairs compile': '653 of 653',
      'unserved pairs fail to compile with their sentence': '55 of 55',
      'unserved pairs refused as not_served before any request': '55 of 55',
      'served pairs that do reach the port, one a transport': '3 of 3',
      'changes of the spec that fail exactly the dependent tests': '1 of 1',
    });
  });

  const pairs = readSpec(repositoryRoot).then(pairsOf);
  const pairOf = async (name: string): Promise<Pair> => (await pairs).find((pair) => pair.name === name) as Pair;

  it('a pair that compiles against the spec, or fails with another message: a counter-example', async () => {
    const served = await pairOf('hub.node.v3.QueryService/QueryNodes rest');
    const unserved = await pairOf('hub.provider.v2.QueryService/QueryParams grpc');
    const sentence =
      'hub.provider.v2 QueryParams is not implemented by hub v12; call hub.provider.v3 QueryParams over gRPC instead.';
    expect(judge(served, undefined)).toBeUndefined();
    expect(judge(served, 'error TS2345')).toContain('is served and does not compile');
    expect(judge(unserved, sentence)).toBeUndefined();
    expect(judge(unserved, undefined)).toBe('is not served and compiles');
    expect(judge(unserved, sentence.replace('provider.v3', 'provider.v4'))).toContain('does not say');
    expect(judge(unserved, sentence.replace('not implemented', 'not known'))).toContain('does not say');
  });
});

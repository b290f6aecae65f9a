import { describe, expect, it } from 'vitest';
import { HubError } from './error.js';
import { explainHeight, findLowestState, readHead } from './heights.js';
import type { Answer, CallOptions, Transport } from './transport.js';

interface Node {
  readonly block: bigint;
  readonly state: bigint;
  readonly lowest?: bigint;
  readonly plan?: { readonly name: string; readonly height: bigint } | 'not there' | 'unavailable';
}

/** A transport to a node that serves only its bounds. */
function transportTo({
  block,
  state,
  lowest = 901_801n,
  plan,
}: Node): Transport<'grpc'> & { readonly calls: string[] } {
  const calls: string[] = [];
  const refuse = (code: HubError['code']): never => {
    throw new HubError({ code, message: code });
  };
  const call = (
    method: { name: string },
    _: unknown,
    { height = state }: CallOptions = {},
  ): Promise<Answer<unknown>> => {
    calls.push(method.name);
    return new Promise((resolve) => {
      if (height > state) refuse('height_in_future');
      if (height < lowest) refuse(height < 901_801n ? 'height_never_existed' : 'height_not_retained');
      if (method.name === 'GetLatestBlock') resolve({ message: { block: { header: { height: block } } }, height });
      if (method.name === 'CurrentPlan' && typeof plan === 'string')
        refuse(plan === 'not there' ? 'unimplemented' : plan);
      resolve({ message: { plan }, height });
    });
  };
  return {
    kind: 'grpc',
    address: 'test',
    call: call as Transport<'grpc'>['call'],
    close: () => Promise.resolve(),
    calls,
  };
}

const future = (height: bigint): HubError =>
  new HubError({ code: 'height_in_future', message: 'in the future', height });
const v13 = { name: 'v13', height: 905_000n };

describe('readHead', () => {
  it.each<[string, Node, unknown]>([
    ['a chain that moves', { block: 905_000n, state: 905_000n, plan: v13 }, undefined],
    ['a block that is being executed', { block: 905_001n, state: 905_000n }, undefined],
    ['a plan for later', { block: 904_999n, state: 904_998n, plan: v13 }, undefined],
    ['a node without the module', { block: 905_000n, state: 904_999n, plan: 'not there' }, undefined],
    ['a chain that waits', { block: 905_000n, state: 904_999n, plan: v13 }, v13],
  ])('%s: block, state, and the plan if the node waits for it', async (_, node, stoppedFor) => {
    expect(await readHead(transportTo(node))).toEqual({ block: node.block, state: node.state, stoppedFor });
  });

  it('heights: a new block with an older state reports both heights', async () => {
    expect(await readHead(transportTo({ block: 927_000n, state: 905_000n }))).toEqual({
      block: 927_000n,
      state: 905_000n,
      stoppedFor: undefined,
    });
  });

  it('a plan that cannot be queried: fails, because the head is unknown', async () => {
    const lost = transportTo({ block: 905_000n, state: 904_999n, plan: 'unavailable' });
    await expect(readHead(lost)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('explainHeight', () => {
  it('a height of a chain that waits for its upgrade: becomes stopped_for_upgrade, with the refusal as the cause', async () => {
    const refused = future(905_000n);
    const explained = await explainHeight(transportTo({ block: 905_000n, state: 904_999n, plan: v13 }), refused);
    expect(explained).toMatchObject({ code: 'stopped_for_upgrade', latestHeight: 904_999n, cause: refused });
    expect(explained.message).toContain('upgrade "v13"');
  });

  it('a future height: the code is unchanged, with the latest height', async () => {
    const explained = await explainHeight(transportTo({ block: 905_000n, state: 905_000n }), future(905_001n));
    expect(explained).toMatchObject({ code: 'height_in_future', height: 905_001n, latestHeight: 905_000n });
  });

  it('any other failure: returns the same error and sends no query', async () => {
    const transport = transportTo({ block: 1n, state: 1n });
    const error = new HubError({ code: 'not_found', message: 'lease 9 does not exist' });
    expect(await explainHeight(transport, error)).toBe(error);
    expect(transport.calls).toEqual([]);
  });
});

describe('findLowestState', () => {
  it.each([901_801n, 901_802n, 904_390n, 904_494n])('states from %s on: returns that height', async (lowest) => {
    const transport = transportTo({ block: 904_494n, state: 904_494n, lowest });
    expect(await findLowestState(transport)).toBe(lowest);
    expect(transport.calls.length).toBeLessThan(20);
  });
});

import { HubError } from '@hubwatch/client';
import type { FollowedBlock, Gap } from '@hubwatch/client/follow';
import { describe, expect, it } from 'vitest';
import { judge, textOf } from './followed-world.js';
import { websocketFaults } from './websocket-faults.js';

const block = (height: number, chainId = 'a'): FollowedBlock =>
  ({ kind: 'block', height: BigInt(height), block: { header: { chainId } }, results: {} }) as unknown as FollowedBlock;
const gap: Gap = { kind: 'gap', from: 2n, to: 2n, cause: new HubError({ code: 'not_found', message: 'm' }) };

async function* stream(...items: (FollowedBlock | Gap | Error)[]): AsyncGenerator<FollowedBlock | Gap> {
  for (const item of items) {
    if (item instanceof Error) throw item;
    yield item;
  }
}

describe('websocket-faults', () => {
  it("a hundred faults: every block equals the chain's, and a cut does not lose a header", async () => {
    const outcome = await websocketFaults.run({ seed: 7, runs: 100, log: () => undefined });
    expect(outcome.counterExample).toBeUndefined();
    expect(outcome.passed).toBe(outcome.total);
    expect(outcome.total).toBeGreaterThanOrEqual(4 * 20 + 48);
    expect(outcome.figures).toMatchObject({ 'headers through a cut': '48 of 48' });
    expect(Number(outcome.figures?.['faults'])).toBeGreaterThanOrEqual(100);
    // A leaked connection or request would keep the program alive.
    await expect.poll(() => process.getActiveResourcesInfo().filter((kind) => /TCP|Connect/.test(kind))).toEqual([]);
    // Mostly waiting time; on a busy machine more requests time out and are repeated.
  });

  it.each<[string, (FollowedBlock | Gap | Error)[], string | undefined]>([
    ['all', [block(1), block(2), block(3)], undefined],
    ['one lost', [block(1), block(3)], 'block 2: 3 came in its place'],
    ['one twice', [block(1), block(1)], 'block 2: 1 came in its place'],
    ['one of other content', [block(1), block(2, 'b')], "block 2: another content than the node's"],
    ['a gap', [block(1), gap], 'block 2: told as a gap 2 to 2'],
    ['an end', [block(1)], 'block 2: not there 90000 ms after the last'],
    ['a failure', [block(1), gap.cause], 'block 2: not_found HubError: [not_found] m'],
  ])('a stream with %s: reported correctly', async (_, items, wrong) => {
    const truth = (height: number): Promise<string> => Promise.resolve(textOf(block(height)));
    const judged = await judge(stream(...items), 1, 3, truth);
    expect(judged.wrong).toBe(wrong);
    expect(judged.equal).toBe(wrong === undefined ? 3 : 1);
  });
});

import { describe, expect, it } from 'vitest';
import { isExact, lookAtBound, type StateBracket } from './state-search.js';

/** A node that has the states from a lowest height on, except for a hole. */
const nodeWith = (lowest: bigint, [from, to]: readonly [bigint, bigint]) => ({
  probe: (height: bigint) =>
    Promise.resolve(height >= lowest && !(height >= from && height <= to) ? ('held' as const) : ('not_held' as const)),
  random: () => 0.5,
});

describe('lookAtBound', () => {
  it('a search overtaken by pruning, with a hole right below the tried height: the search continues below the hole', async () => {
    const open: StateBracket = {
      held: 1_115_273n,
      notHeld: 1_115_250n,
      newest: 1_116_267n,
      isConfirmed: false,
      isByRuns: false,
      step: undefined,
    };
    const node = nodeWith(1_115_280n, [1_115_290n, 1_115_292n]);
    let known = (await lookAtBound(open, 901_801n, 1_116_282n, node)).bracket;
    expect(known).toMatchObject({ held: 1_115_293n, isConfirmed: false });
    for (let look = 0; look < 8 && !isExact(known); look++)
      known = (await lookAtBound(known, 901_801n, 1_116_282n, node)).bracket;
    expect(known).toMatchObject({ held: 1_115_280n, notHeld: 1_115_279n });
  });
});

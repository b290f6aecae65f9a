import { expect, it } from 'vitest';
import { monitorChain } from './monitored-chain.js';

/** Heights around a node's lapse and return. */
const heights = [901_880, 901_890, 901_904, 901_905, 901_960, 902_070, 902_076];

interface ShownAlert {
  readonly rule: string;
  readonly subject: string;
  readonly state: string;
}

/** Alerts at each height, with all nodes, providers and accounts of the recording watched. */
async function alertsWith(arrange: (<T>(parts: readonly T[]) => readonly T[]) | undefined): Promise<string[][]> {
  const chain = await monitorChain({ chain: 'chain', from: 901_880, watchesAll: true, arrange });
  try {
    const seen: string[][] = [];
    for (const height of heights) {
      await chain.moveTo(height);
      // After the second round every check has used the results of all others.
      await chain.moveTo(height);
      const answer = await fetch(`${chain.address()}/api/v1/status`);
      const { alerts } = (await answer.json()) as { readonly alerts: readonly ShownAlert[] };
      seen.push(alerts.map(({ rule, subject, state }) => `${rule} ${subject} ${state}`).toSorted());
    }
    return seen;
  } finally {
    await chain.close();
  }
}

/** Deterministic shuffle. */
const shuffle =
  (seed: number) =>
  <T>(parts: readonly T[]): readonly T[] => {
    let state = seed;
    const keyed = parts.map((part) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return { part, key: state };
    });
    return keyed.toSorted((a, b) => a.key - b.key).map(({ part }) => part);
  };

it('order: checks, sweeps and rules in any order give the same alerts', async () => {
  const expected = await alertsWith(undefined);
  const rules = new Set(expected.flat().map((alert) => alert.split(' ')[0]));
  expect([...rules]).toEqual(expect.arrayContaining(['HubLeaseEndingSoon', 'HubNodeInactive', 'HubNodeLeasesLost']));
  expect(new Set(expected.map((alerts) => alerts.join())).size).toBeGreaterThan(2);
  for (const seed of [1, 2]) expect(await alertsWith(shuffle(seed))).toEqual(expected);
  expect(await alertsWith((parts) => parts.toReversed())).toEqual(expected);
});

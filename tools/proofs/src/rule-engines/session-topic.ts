import { nodeReach, nodeSessions } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';
import { changing, type Look, nodes, targetOf, type Topic } from './world.js';

const noLimits = { near: 0, over: 0 };

/** Sessions of a node: their number, and how many are silent or past their deadline. */
const sessionsOf = (random: RandomSource) => {
  const active = changing(random, 0.3, () => random.below(4));
  const stale = changing(random, 0.4, () => random.below(4));
  const lapsed = changing(random, 0.3, () => random.below(3));
  const overdue = changing(random, 0.3, () => random.pick([0, 0, 0, 2]));
  return (look: Look) => {
    const count = active();
    const silent = Math.min(count, stale());
    const gone = lapsed();
    const isKnown = look.chain.head !== undefined;
    return {
      facts: {
        byStatus: new Map([
          ['active', count],
          ['inactive_pending', gone],
        ]),
        active: count,
        stale: isKnown ? silent : undefined,
        overdue: isKnown ? overdue() : undefined,
        // No session is so new that it had no update yet.
        reporting: count - silent,
        oldestUpdateMs: undefined,
        nextSettlementMs: undefined,
        download: 0n,
        upload: 0n,
        byBytes: noLimits,
        byDuration: noLimits,
        expected: new Map(),
        allocations: { count: 0, usedUp: 0, remaining: 0n },
      },
      news: { ended: 0, endedIds: [], lapsed: gone, silent: gone },
      usual: undefined,
      timeoutMs: 7_200_000,
      height: look.chain.head?.height,
    };
  };
};

const failed = { state: 'failed', reason: 'timeout', text: 'no answer' } as const;

/** Reachability of a node at its addresses. */
const reachOf = (random: RandomSource, key: string) => {
  const outcome = () =>
    changing(random, 0.3, () =>
      random.pick([
        failed,
        failed,
        { state: 'reached', notAfterMs: undefined, info: { address: key, isSpeedZero: undefined } },
        { state: 'reached', notAfterMs: undefined, info: { address: nodes[3], isSpeedZero: undefined } },
        { state: 'reached', notAfterMs: undefined, info: undefined },
      ]),
    );
  const addresses = Array.from({ length: random.below(3) }, (_, index) => ({
    address: `a${index}:1`,
    outcome: outcome(),
  }));
  return (look: Look) => ({
    addresses: addresses.map((one) => ({ address: one.address, outcome: one.outcome() as never })),
    height: look.chain.head?.height,
  });
};

/** Sessions of watched nodes, and the reachability of these nodes. */
export const sessionTopic: Topic = (random, config) => {
  const all = nodes.map((key) => ({ key, sessions: sessionsOf(random), reach: reachOf(random, key) }));
  return (look) => {
    for (const { key, sessions, reach } of all) {
      look.record(nodeSessions, targetOf(nodeSessions, config, key), () => sessions(look));
      look.record(nodeReach, targetOf(nodeReach, config, key), () => reach(look));
    }
  };
};

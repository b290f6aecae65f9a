import { endpointSurface, endpointVersion, historyBounds, retention } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';
import { blockAgeMs, firstBlock } from './chain-topic.js';
import { changeAt, changing, day, type Look, minute, second, targetOf, timestamp, type Topic } from './world.js';
import { endpointStatus } from '@hubwatch/daemon/parts';

const names = ['own', 'spare', 'archive'] as const;
const edge = 7 * second;

/** Lowest heights near the required ones, and the pace at which they increase. */
const boundsOf = (random: RandomSource) => {
  const lowest = changing(random, 0.3, () =>
    random.pick([901_801n, 949_990n, 950_001n, firstBlock - 2_001n, firstBlock - 1_990n, firstBlock - 900n]),
  );
  const pace = changing(random, 0.3, () => random.pick([undefined, 0.1, 1]));
  return () => {
    const blocksPerSecond = pace();
    return { lowest: lowest(), blocksPerSecond };
  };
};

const surfaceOf = (random: RandomSource, name: string) => {
  const ends = changing(random, 0.2, () =>
    random.pick([3 * day + random.below(14) * minute, 14 * day + random.below(14) * minute, 90 * day]),
  );
  const skew = changing(random, 0.3, () => random.pick([0, 3, -3, 4, -5, undefined]));
  const unsafe = changing(random, 0.2, () => random.pick([true, false, false, undefined]));
  const index = changing(random, 0.2, () => random.pick([true, false, undefined]));
  return (look: Look) => {
    const has = index();
    return {
      certificates: new Map(name === 'own' ? [['grpc' as const, ends() + edge]] : []),
      skewSeconds: skew(),
      exposesUnsafe: unsafe(),
      capabilities: new Map(has === undefined ? [] : [['tx_index' as const, has]]),
      indexLag: undefined,
      atMs: look.nowMs,
    };
  };
};

const states = ['held', 'held', 'not_held', 'unclear'] as const;

const retentionOf = (random: RandomSource, name: string) => {
  const transports = name === 'own' ? (['grpc', 'rest', 'rpc'] as const) : (['rpc'] as const);
  const bounds = boundsOf(random);
  // The result of an unfinished search may be above the actual bound.
  const isExact = changing(random, 0.3, () => random.chance(0.8));
  const depths = changing(random, 0.4, () => new Map([100n, 5_000n].map((depth) => [depth, random.pick(states)])));
  return (look: Look) => {
    const { lowest, blocksPerSecond } = bounds();
    const exact = isExact();
    const bracket = {
      held: lowest,
      notHeld: exact ? lowest - 1n : 901_800n,
      newest: firstBlock,
      isConfirmed: exact,
      isByRuns: false,
      step: undefined,
    };
    return {
      transports: transports.map((transport) => ({
        ...{ transport, newest: firstBlock, bracket, queries: 1 },
        depths: name === 'own' ? depths() : new Map<bigint, (typeof states)[number]>(),
        blocksPerSecond: exact ? blocksPerSecond : undefined,
      })),
      atMs: look.nowMs,
    };
  };
};

const versionOf = (random: RandomSource) => {
  const version = changing(random, 0.08, () => random.pick(['12.0.2', 'v12.0.2', '12.0.2', '12.0.1']));
  const spelling = random.pick(['hub', 'Hub']);
  let [seen, count, changedAt] = ['', random.below(3), Number.NEGATIVE_INFINITY];
  return (look: Look) => {
    const now = version();
    if (seen !== '' && seen !== now) [count, changedAt] = [count + 1, look.nowMs];
    seen = now;
    const isNews = changedAt > look.nowMs - day;
    return {
      ...{ name: spelling, version: now, stackVersion: '', source: 'grpc' as const, changes: count },
      news: isNews ? changeAt(changedAt) : undefined,
    };
  };
};

/** History that endpoints store, and data that they expose publicly. */
export const historyTopic: Topic = (random, config) => {
  const all = names.map((name) => ({
    name,
    bounds: { block: boundsOf(random), tx: boundsOf(random) },
    surface: surfaceOf(random, name),
    retention: retentionOf(random, name),
    version: versionOf(random),
  }));
  return (look) => {
    for (const { name, bounds, surface, retention: held, version } of all) {
      // In Prometheus a change still counts while the series is missing, so this poll never fails.
      look.recordUnless(false, endpointVersion, targetOf(endpointVersion, config, name), () => version(look));
      look.record(endpointSurface, targetOf(endpointSurface, config, name), () => surface(look));
      look.record(retention, targetOf(retention, config, name), () => held(look));
      // Two jobs read status and bounds; in these histories both fail or succeed together.
      const isFailed = random.chance(0.05);
      const [block, tx] = [bounds.block(), bounds.tx()];
      look.recordUnless(isFailed, historyBounds, targetOf(historyBounds, config, name), () => ({
        ...{ newest: firstBlock, block, tx, queries: 1, atMs: look.nowMs },
      }));
      look.recordUnless(isFailed, endpointStatus, targetOf(endpointStatus, config, name), () => {
        const status = {
          ...{ chainId: 'hub-2', height: firstBlock, time: timestamp(look.nowMs - blockAgeMs), catchingUp: false },
          rpc: { moniker: '', engineVersion: '', earliestHeight: block.lowest, earliestTime: undefined },
        };
        const known = { state: 'known', value: status } as const;
        return {
          ...{ rpc: known, grpc: undefined, rest: undefined, websocket: undefined, block: known },
          ...{ peers: undefined, mempool: undefined, expectedChainId: 'hub-2' },
          asked: { atMs: look.nowMs, height: firstBlock },
        };
      });
    }
  };
};

import { oraclePrices, parameters, proposals, upgradeClock } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';
import { firstBlock } from './chain-topic.js';
import { changeAt, changing, day, type Look, minute, second, targetOf, type Topic } from './world.js';

/** An upgrade whose height approaches, is reached and is passed. */
const upgradeOf = (random: RandomSource) => {
  const isPlanned = changing(random, 0.1, () => random.chance(0.7));
  const height = firstBlock + BigInt(random.below(150));
  const expectedMs = random.pick([day, 6 * 3_600 * second]) + random.below(14) * minute + 7 * second;
  const isThere = changing(random, 0.3, () => random.pick([true, false, undefined]));
  const hasPace = random.chance(0.8);
  return (look: Look) => {
    const head = look.chain.head;
    const isAhead = head !== undefined && height > head.height;
    const plan = {
      ...{ name: 'v13', height, pace: undefined, soonestMs: undefined, latestMs: undefined },
      expectedMs: isAhead && hasPace ? expectedMs : undefined,
      binaries: new Map([['own', { isPresent: isThere(), text: '' }]]),
    };
    return { plan: isPlanned() ? (plan as never) : undefined, height: head?.height };
  };
};

const oracleOf = (random: RandomSource) => {
  const prices = ['udvpn', 'other'].map((denom) => ({
    denom,
    seen: changing(random, 0.2, () => firstBlock - BigInt(random.pick([0, 1_700, 1_750, 1_800, 5_000]))),
    isThere: random.chance(0.8),
  }));
  return () => ({
    prices: prices.map(({ denom, seen, isThere }) => ({
      ...{ denom, price: '1.5', priceHeight: isThere ? 77n : 0n, seenHeight: isThere ? seen() : undefined },
    })),
    height: undefined,
    interval: 10n,
    channel: 'c',
  });
};

const parametersOf = (random: RandomSource) => {
  const isChanged = () => random.chance(0.05);
  let [count, changedAt] = [random.below(3), Number.NEGATIVE_INFINITY];
  return (look: Look) => {
    if (look.at > 1 && isChanged()) [count, changedAt] = [count + 1, look.nowMs];
    return {
      ...{ params: {}, texts: new Map(), height: undefined },
      counts: new Map([['node' as const, count]]),
      news: changedAt > look.nowMs - day ? [{ ...changeAt(changedAt), module: 'node' as const }] : [],
    };
  };
};

/** Results of governance: upgrades, parameters and the oracle. */
export const governanceTopic: Topic = (random, config) => {
  const [upgrade, oracle, changes] = [upgradeOf(random), oracleOf(random), parametersOf(random)];
  return (look) => {
    look.record(upgradeClock, targetOf(upgradeClock, config, 'hub-2'), () => upgrade(look));
    look.record(oraclePrices, targetOf(oraclePrices, config, 'hub-2'), oracle);
    // In Prometheus a change still counts while the series is missing, so this poll never fails.
    look.recordUnless(false, parameters, targetOf(parameters, config, 'hub-2'), () => changes(look));
    look.record(proposals, targetOf(proposals, config, 'hub-2'), () => ({
      ...{ counts: new Map(), open: [], newest: undefined, height: undefined },
    }));
  };
};

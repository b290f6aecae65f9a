import { type Change, nodeLeases, watchedNodes } from '@hubwatch/daemon/parts';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { RandomSource } from '../random-source.js';
import { changeAt, changing, type Config, type Look, minute, nodes, targetOf, timestamp, type Topic } from './world.js';

/** Common properties of all nodes in a history. */
interface Habit {
  readonly timeoutMs: number;
  readonly intervalMs: number;
  /**
   * No poll fails and every node is registered. Record changes are generated only in this case. In Prometheus a recent change
   * still counts while the series is missing, whereas the daemon leaves its alert unchanged.
   */
  readonly isSteady: boolean;
  /** Step at which the first nodes lapse in the same block, and how many. */
  readonly lapse: { readonly at: number; readonly of: number };
}

/** How long a record change is reported. */
const newsMs = 15 * minute;

/** A counter of record changes, with the last change as the daemon stores it: dated to the step that detected it. */
class Counted {
  count: number;
  private isKnown = false;
  private pending = 0;
  private atMs = Number.NEGATIVE_INFINITY;

  constructor(count: number) {
    this.count = count;
  }

  change(): void {
    this.pending += 1;
  }

  /** The last change if it is recent enough to be reported, at a successful poll. */
  seen(nowMs: number): readonly Change[] {
    if (this.pending > 0) {
      this.count += this.pending;
      this.pending = 0;
      // The first value read is not a change.
      if (this.isKnown) this.atMs = nowMs;
    }
    this.isKnown = true;
    return this.atMs > nowMs - newsMs ? [changeAt(this.atMs)] : [];
  }
}

const nodeOf = (random: RandomSource, config: Config, key: string, index: number, habit: Habit) => {
  const { timeoutMs, intervalMs, lapse, isSteady } = habit;
  let statusMs = -random.below(timeoutMs + 2 * minute);
  let isActive = true;
  let seenActive: boolean | undefined;
  const flips: Change[] = [];
  const beats = changing(random, 0.1, () => random.chance(0.5));
  const isRegistered = changing(random, 0.04, () => isSteady || random.chance(0.9));
  const isFlapping = isSteady && random.chance(0.2);
  const [prices, addresses] = [new Counted(random.below(3)), new Counted(random.below(3))];
  const set = (active: boolean, atMs: number): void => {
    isActive = active;
    statusMs = atMs;
  };
  const mayFlip = (): boolean => isSteady || flips.length < 2;
  const live = (at: number, chainMs: number): void => {
    if (isActive && index < lapse.of && at === lapse.at) set(false, chainMs);
    else if (isActive && chainMs - statusMs > timeoutMs) set(false, statusMs + timeoutMs);
    else if (isActive && chainMs - statusMs >= intervalMs && beats()) statusMs = chainMs;
    else if (!isActive && random.chance(isFlapping ? 0.7 : 0.15) && mayFlip()) set(true, chainMs);
    else if (isActive && random.chance(isFlapping ? 0.5 : 0.04) && mayFlip()) set(false, chainMs);
    if (isSteady && random.chance(0.08)) prices.change();
    if (isSteady && random.chance(0.08)) addresses.change();
  };
  const read = ({ nowMs, chain }: Look) => {
    const height = chain.head?.height;
    const base = { height, intervalMs, intervalLearned: true, timeoutMs };
    if (!isRegistered()) return { ...base, node: undefined };
    if (seenActive !== undefined && seenActive !== isActive) flips.unshift(changeAt(nowMs));
    seenActive = isActive;
    const node = {
      ...{ address: key, gigabytePrices: [], hourlyPrices: [], remoteAddrs: [] },
      status: isActive ? Status.STATUS_ACTIVE : Status.STATUS_INACTIVE,
      statusAt: timestamp(statusMs),
      inactiveAt: isActive ? timestamp(statusMs + timeoutMs) : undefined,
    };
    const news = { prices: prices.seen(nowMs), addresses: addresses.seen(nowMs), flips: [...flips] };
    const changes = { ...news, priceChanges: prices.count, addressChanges: addresses.count };
    return { ...base, node, changes };
  };
  return (look: Look): void => {
    if (look.at > 0) live(look.at, look.chain.head?.timeMs ?? look.nowMs);
    look.record(nodeLeases, targetOf(nodeLeases, config, key), () => ({
      leases: [],
      height: look.chain.head?.height,
    }));
    look.recordUnless(!isSteady && random.chance(0.05), watchedNodes, targetOf(watchedNodes, config, key), () =>
      read(look),
    );
  };
};

/** Watched nodes that send heartbeats, are late, lapse alone or together and recover, with changes to their records. */
export const nodeTopic: Topic = (random, config) => {
  const timeoutMs = random.pick([10, 20, 60]) * minute;
  const habit: Habit = {
    timeoutMs,
    // If the slack is less than a sixth of the timeout, the last minutes decide.
    intervalMs: Math.round((timeoutMs * random.pick([50 + random.below(49), 84 + random.below(14)])) / 100),
    isSteady: random.chance(0.5),
    lapse: { at: 2 + random.below(8), of: random.chance(0.4) ? 3 + random.below(2) : random.below(2) },
  };
  const all = nodes.map((key, index) => nodeOf(random, config, key, index, habit));
  return (look) => {
    for (const node of all) node(look);
  };
};

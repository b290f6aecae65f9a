import { agreement, type EndpointFacts, endpointStatus, judgeEndpoints, networkTarget } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';
import { blockAgeMs, blocksPerLook, firstBlock } from './chain-topic.js';
import { changing, type Look, minute, targetOf, timestamp, type Topic } from './world.js';

const names = ['own', 'spare', 'archive'] as const;
type Name = (typeof names)[number];
const transports: Readonly<Record<Name, readonly ('grpc' | 'rest' | 'rpc')[]>> = {
  own: ['grpc', 'rest', 'rpc'],
  spare: ['rpc'],
  archive: ['grpc', 'rpc'],
};

const known = <T>(value: T) => ({ state: 'known', value }) as const;
const noAnswer = { state: 'no_answer', reason: 'timeout', text: 'no answer' } as const;

/** State of one endpoint at a step. */
interface Shown {
  readonly name: Name;
  readonly up: ReadonlySet<string>;
  readonly height: bigint;
  readonly states: ReadonlyMap<'grpc' | 'rest', bigint>;
  readonly facts: EndpointFacts;
}

/** One endpoint that follows the chain, stops, lags, goes down, or serves another chain or another history. */
const endpointOf = (random: RandomSource, name: Name) => {
  const mode = changing(random, 0.2, () => random.pick(['follows', 'follows', 'follows', 'stops', 'lags'] as const));
  const isDown = changing(random, 0.25, () => random.chance(0.2));
  const ups = new Map(transports[name].map((one) => [one, changing(random, 0.3, () => random.chance(0.85))]));
  const standing = changing(random, 0.05, () => random.pick(['right', 'right', 'right', 'right', 'wrong'] as const));
  const hash = changing(random, 0.1, () => random.pick(['agrees', 'agrees', 'agrees', 'differs', 'disputed'] as const));
  const consensus = changing(random, 0.1, () => random.pick(['answers', 'answers', 'hangs'] as const));
  const stateLag = changing(random, 0.3, () => random.pick([0n, 0n, 1n, 10n, 11n, 40n]));
  const waits = changing(random, 0.1, () => random.chance(0.3));
  let height = firstBlock;
  let movedAt: number | undefined;
  return ({ at, nowMs }: Look, tip: bigint): Shown => {
    const now = mode();
    const next = now === 'lags' ? tip - 60n : tip;
    if (now !== 'stops' && next > height) {
      height = next;
      if (at > 0) movedAt = at;
    }
    const down = isDown();
    const up = new Set([...ups].flatMap(([one, is]) => (is() && !down ? one : [])));
    const isUpgrade = waits() && now === 'stops';
    const lag = isUpgrade ? 1n : stateLag();
    const states = new Map(
      (['grpc', 'rest'] as const).flatMap((one) =>
        up.has(one) ? [[one, height - lag + (one === 'rest' ? 1n : 0n)]] : [],
      ),
    );
    const lowest = [...states.values()].reduce<bigint | undefined>(
      (low, one) => (low === undefined || one < low ? one : low),
      undefined,
    );
    const isTold = up.size > 0;
    const isWrong = standing() === 'wrong';
    const facts: EndpointFacts = {
      name,
      standing: isWrong ? 'wrong_chain' : now === 'lags' ? 'behind' : 'live',
      height: isTold ? height : undefined,
      stateHeight: lowest,
      stillMs:
        movedAt === undefined ? (at < 2 ? undefined : nowMs + blockAgeMs) : nowMs - movedAt * minute + blockAgeMs,
      consensus: consensus(),
      planHeight: isUpgrade ? height : undefined,
      hash: hash(),
    };
    return { name, up, height, states, facts };
  };
};

/** Endpoints, and the chain's head that follows from them. */
export const endpointTopic: Topic = (random) => {
  const endpoints = names.map((name) => endpointOf(random, name));
  // A suspended process misses a round of every endpoint.
  const isStarved = changing(random, 0.3, () => random.chance(0.1));
  const websocket = changing(random, 0.3, () => random.chance(0.7));
  let tip = firstBlock;
  let newest = { height: firstBlock - 1n, at: 0, hasMoved: false };
  return (look) => {
    if (look.at > 0) tip += blocksPerLook;
    const all = endpoints.map((endpoint) => endpoint(look, tip));
    const judged = judgeEndpoints(all.map(({ facts }) => facts));
    const right = all.filter(
      ({ name, facts }) => facts.height !== undefined && !astray.has(judged.endpoints.get(name) ?? ''),
    );
    const highest = right.reduce((top, { height }) => (height > top ? height : top), 0n);
    if (highest > newest.height)
      newest = { height: highest, at: look.at, hasMoved: look.at > 0 && newest.height >= firstBlock };
    look.chain = chainOf(look, right.length === 0 ? undefined : newest);
    const isLost = isStarved();
    for (const shown of all) recordStatus(look, shown, { isLost, hearsBlocks: websocket() });
    const { head } = look.chain;
    look.recordUnless(isLost, agreement, networkTarget, () => ({
      ...judged,
      facts: all.map(({ facts }) => facts),
      compared: new Map(
        all.map(({ name, facts: { hash = 'agrees' } }) => [
          name,
          { height: head?.height ?? tip, block: hash, app: 'agrees' as const },
        ]),
      ),
      chainIds: new Map(all.map(({ name, facts }) => [name, facts.standing === 'wrong_chain' ? 'other-1' : 'hub-2'])),
      expectedChainId: 'hub-2',
      plan: undefined,
    }));
  };
};

/** Verdicts for endpoints whose blocks are not those of the chain. */
const astray: ReadonlySet<string> = new Set(['wrong_chain', 'forked', 'syncing']);

const chainOf = (
  { nowMs }: Look,
  newest: { height: bigint; at: number; hasMoved: boolean } | undefined,
): Look['chain'] => {
  if (newest === undefined) return { head: undefined, newest: undefined };
  const { height, at, hasMoved } = newest;
  const timeMs = at * minute - blockAgeMs;
  return { head: { height, timeMs }, newest: { height, timeMs, sameFor: 3, hasMoved, stillMs: nowMs - timeMs } };
};

const recordStatus = (
  look: Look,
  shown: Shown,
  { isLost, hearsBlocks }: { readonly isLost: boolean; readonly hearsBlocks: boolean },
): void => {
  const { name, up, height, states, facts } = shown;
  const has = (one: 'grpc' | 'rest' | 'rpc') => (transports[name] as readonly string[]).includes(one);
  const block = {
    chainId: facts.standing === 'wrong_chain' ? 'other-1' : 'hub-2',
    height,
    time: timestamp(look.nowMs - blockAgeMs),
    catchingUp: false,
    rpc: undefined,
  };
  const state = (one: 'grpc' | 'rest') =>
    has(one) ? (up.has(one) ? known({ height: states.get(one) }) : noAnswer) : undefined;
  look.recordUnless(isLost, endpointStatus, targetOf(endpointStatus, look.config, name), () => ({
    rpc: up.has('rpc') ? known(block) : noAnswer,
    grpc: state('grpc'),
    rest: state('rest'),
    websocket: name === 'own' ? (hearsBlocks && up.has('rpc') ? known(true as const) : noAnswer) : undefined,
    // The daemon waits for two failed attempts, which the metrics do not show.
    websocketFailures: 2,
    block: facts.height === undefined ? noAnswer : known(block),
    peers: undefined,
    mempool: undefined,
    asked: { atMs: look.nowMs, height },
    expectedChainId: 'hub-2',
  }));
};

import type { Standing } from './standing.js';

/** What an endpoint is found to be; exactly one of them. */
export const endpointVerdicts = [
  'ok',
  'down',
  'wrong_chain',
  'forked',
  'disputed',
  'upgrade',
  'frozen',
  'stuck',
  'halted',
  'syncing',
  'behind',
  'state_behind',
  'unknown',
] as const;
export type EndpointVerdict = (typeof endpointVerdicts)[number];

/** What the chain as a whole does, as far as its endpoints show it. */
export const chainStates = ['moving', 'halted', 'upgrade', 'unknown'] as const;
export type ChainState = (typeof chainStates)[number];

/** Everything that a verdict on one endpoint rests on. */
export interface EndpointFacts {
  readonly name: string;
  readonly standing: Standing;
  /** Newest block, as told; `undefined` when it tells none now. */
  readonly height: bigint | undefined;
  /** Height of the state that it answers from, the lowest of its transports; `undefined` when none tells one. */
  readonly stateHeight: bigint | undefined;
  /**
   * How long no newer block was reported although it was asked several times, milliseconds; 0 while blocks come. `undefined`
   * while that is not known: after a start it was neither seen to step nor asked for long enough.
   */
  readonly stillMs: number | undefined;
  /** Whether its consensus answers, where it was asked because it stands still. */
  readonly consensus: 'answers' | 'hangs' | undefined;
  /** Height at which its own state plans an upgrade, where it was asked because it stands still or has that block. */
  readonly planHeight: bigint | undefined;
  /** How its block or application hash at the compared height stands to those of the others. */
  readonly hash: 'agrees' | 'differs' | 'disputed' | undefined;
  /** How many times faster than usual blocks come: more than 1 in a demo, where as many more pass between two answers. */
  readonly speed?: number | undefined;
}

export interface Judgement {
  readonly endpoints: ReadonlyMap<string, EndpointVerdict>;
  readonly chain: ChainState;
}

/** Without a new block for so long an endpoint stands still beside others that move, milliseconds. */
export const stillMs = 60_000;
/** The same for the chain as a whole. */
const haltedMs = 180_000;
/** Blocks that an endpoint may lack and not be called stuck. */
const lagBlocks = 3n;
/** Blocks that the state may be behind the block store: usually none or one. */
export const stateBlocks = 10n;

/**
 * Tells apart what looks alike from one endpoint: a chain that stands still, an endpoint that alone does, one that waits at
 * an upgrade height (its block store is one ahead of its state, and an upgrade is planned there), one whose consensus hangs
 * while it still answers, and one that follows another history.
 */
export const judgeEndpoints = (facts: readonly EndpointFacts[]): Judgement => {
  const ofChain = facts.filter(isOfChain);
  const tip = ofChain.reduce((top, { height }) => (height > top ? height : top), 0n);
  const atTip = ofChain.filter(({ height, speed }) => height + atSpeed(lagBlocks, speed) >= tip);
  const upgradeHeight = atTip.find((one) => waitsForUpgrade(one, one.height))?.height;
  // Nobody has a block after the one at which an endpoint waits: none of them shows that the chain moves.
  const isUpgrade = upgradeHeight !== undefined && upgradeHeight === tip;
  const isMoving = !isUpgrade && atTip.some(({ stillMs: still }) => still !== undefined && still < haltedMs);
  const verdict = (one: EndpointFacts): EndpointVerdict => {
    if (one.standing === 'wrong_chain') return 'wrong_chain';
    if (one.height === undefined) return 'down';
    if (one.hash === 'differs' || (one.standing === 'forked' && one.hash !== 'agrees')) return 'forked';
    if (one.hash === 'disputed') return 'disputed';
    if (waitsForUpgrade(one, one.height)) return 'upgrade';
    if (one.stillMs !== undefined && one.stillMs >= stillMs) return ofStill(one, one.height, tip, isMoving);
    if (one.standing === 'syncing' || one.standing === 'behind') return one.standing;
    if (isStateBehind(one) === true) return 'state_behind';
    return one.stillMs === undefined ? 'unknown' : 'ok';
  };
  const endpoints = new Map(facts.map((one) => [one.name, verdict(one)]));
  return { endpoints, chain: chainState(atTip, isMoving, endpoints) };
};

/** Whether an endpoint answers from a state that is older than its newest block; `undefined` where it does not show one. */
export const isStateBehind = ({ height, stateHeight, speed }: EndpointFacts): boolean | undefined =>
  height === undefined || stateHeight === undefined ? undefined : stateHeight + atSpeed(stateBlocks, speed) < height;

const atSpeed = (blocks: bigint, speed = 1): bigint => blocks * BigInt(Math.ceil(speed));

type OfChain = EndpointFacts & { readonly height: bigint };

/** Endpoints that say something of this chain's present: not those of another one, of a fork, or that fetch old blocks. */
const isOfChain = (one: EndpointFacts): one is OfChain =>
  one.height !== undefined &&
  one.standing !== 'wrong_chain' &&
  one.standing !== 'syncing' &&
  one.hash !== 'differs' &&
  (one.standing !== 'forked' || one.hash === 'agrees');

const ofStill = (one: EndpointFacts, height: bigint, tip: bigint, isMoving: boolean): EndpointVerdict => {
  if (one.consensus === 'hangs') return 'frozen';
  if (height + atSpeed(lagBlocks, one.speed) < tip) return 'stuck';
  return isMoving ? 'ok' : 'halted';
};

const waitsForUpgrade = ({ planHeight, stateHeight }: EndpointFacts, height: bigint): boolean =>
  planHeight === height && stateHeight !== undefined && stateHeight + 1n === height;

const chainState = (
  atTip: readonly OfChain[],
  isMoving: boolean,
  verdicts: ReadonlyMap<string, EndpointVerdict>,
): ChainState => {
  const found = atTip.map(({ name }) => verdicts.get(name));
  // Endpoints that hang say nothing of a chain that nobody else shows.
  if (found.every((verdict) => verdict === 'frozen')) return 'unknown';
  if (isMoving) return 'moving';
  if (found.includes('upgrade')) return 'upgrade';
  return atTip.some(({ stillMs: still }) => still === undefined) ? 'unknown' : 'halted';
};

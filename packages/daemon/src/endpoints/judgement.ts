import type { Standing } from './standing.js';

/** Possible verdicts on an endpoint; exactly one applies. */
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

/** State of the whole chain, as far as its endpoints show it. */
export const chainStates = ['moving', 'halted', 'upgrade', 'unknown'] as const;
export type ChainState = (typeof chainStates)[number];

/** All inputs for the verdict on one endpoint. */
export interface EndpointFacts {
  readonly name: string;
  readonly standing: Standing;
  /** Latest reported block; `undefined` if it reports none now. */
  readonly height: bigint | undefined;
  /** Height of the state in its responses, the lowest of its transports; `undefined` if none reports one. */
  readonly stateHeight: bigint | undefined;
  /**
   * How long several queries returned no newer block, milliseconds; 0 while blocks arrive. `undefined` while unknown:
   * after a start, no step was observed and the endpoint was not queried for long enough.
   */
  readonly stillMs: number | undefined;
  /** Whether its consensus responds; queried only if the endpoint is stalled. */
  readonly consensus: 'answers' | 'hangs' | undefined;
  /** Height of the upgrade planned in its own state; queried only if the endpoint is stalled or has that block. */
  readonly planHeight: bigint | undefined;
  /** How its block or application hash at the compared height relates to those of the others. */
  readonly hash: 'agrees' | 'differs' | 'disputed' | undefined;
  /**
   * Block rate relative to the usual one: above 1 in a demo, where proportionally more blocks pass between two
   * responses.
   */
  readonly speed?: number | undefined;
}

export interface Judgement {
  readonly endpoints: ReadonlyMap<string, EndpointVerdict>;
  readonly chain: ChainState;
}

/** Time without a new block after which an endpoint is stalled while others advance, milliseconds. */
export const stillMs = 60_000;
/** The same for the whole chain. */
const haltedMs = 180_000;
/** Number of blocks that an endpoint may lag without being stuck. */
const lagBlocks = 3n;
/** Blocks that the state may be behind the block store; usually none or one. */
export const stateBlocks = 10n;

/**
 * Distinguishes cases that look alike from one endpoint:
 * - the whole chain is stalled;
 * - only this endpoint is stalled;
 * - it waits at an upgrade height: its block store is one ahead of its state, and an upgrade is planned there;
 * - its consensus hangs while it still responds;
 * - it follows a different history.
 */
export const judgeEndpoints = (facts: readonly EndpointFacts[]): Judgement => {
  const ofChain = facts.filter(isOfChain);
  const tip = ofChain.reduce((top, { height }) => (height > top ? height : top), 0n);
  const atTip = ofChain.filter(({ height, speed }) => height + atSpeed(lagBlocks, speed) >= tip);
  const upgradeHeight = atTip.find((one) => waitsForUpgrade(one, one.height))?.height;
  // No endpoint has a block after the one at which an endpoint waits, so none of them shows that the chain advances.
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

/** Whether an endpoint responds from a state older than its latest block; `undefined` if it reports no state height. */
export const isStateBehind = ({ height, stateHeight, speed }: EndpointFacts): boolean | undefined =>
  height === undefined || stateHeight === undefined ? undefined : stateHeight + atSpeed(stateBlocks, speed) < height;

const atSpeed = (blocks: bigint, speed = 1): bigint => blocks * BigInt(Math.ceil(speed));

type OfChain = EndpointFacts & { readonly height: bigint };

/**
 * Selects endpoints that show the present of this chain: not of a different chain, not on a fork, not fetching old
 * blocks.
 */
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
  // Hung endpoints prove nothing about the chain if no other endpoint reports on it.
  if (found.every((verdict) => verdict === 'frozen')) return 'unknown';
  if (isMoving) return 'moving';
  if (found.includes('upgrade')) return 'upgrade';
  return atTip.some(({ stillMs: still }) => still === undefined) ? 'unknown' : 'halted';
};

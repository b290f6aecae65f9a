import { clusterMs, type BlockHead, tipBlocks } from './head.js';
import { type Movement, stillFor } from './movement.js';

/**
 * How an endpoint stands to the present of the chain. Data of `live` ones are used; of `unknown` ones (no head told now)
 * after those; of all others never.
 */
export type Standing = 'live' | 'unknown' | 'wrong_chain' | 'forked' | 'syncing' | 'behind';

/** How many times faster than time block times may pass while blocks come as usual. */
const usualPace = 2;

/** Age of a newest block that may be an error of the daemon's own clock, milliseconds. */
const clockErrorMs = 3_600_000;

/** The time of day, which can jump, and awake time, which cannot. */
interface Now {
  readonly clockMs: number;
  readonly awakeMs: number;
}

/**
 * Whether the endpoint is fetching old blocks: its newest block is old and the next ones come fast, or it says so itself.
 * One that says so and gets no block stands still; one whose blocks come as time passes follows the chain.
 */
export const isFetching = (movement: Movement, flag: boolean, { clockMs, awakeMs }: Now): boolean => {
  const ageMs = clockMs - movement.head.timeMs;
  if (ageMs <= clusterMs) return false;
  if (movement.looks === 0 && (movement.pace ?? 0) > usualPace) return true;
  const follows = ageMs < clockErrorMs && advancesAsTime(movement, awakeMs);
  return flag && !follows && stillFor(movement, awakeMs) === 0;
};

/** Whether blocks come to the endpoint as time passes. */
export const advancesAsTime = (movement: Movement | undefined, awakeMs: number): boolean =>
  movement?.pace !== undefined &&
  movement.pace > 1 / usualPace &&
  movement.pace < usualPace &&
  stillFor(movement, awakeMs) === 0;

/** Whether a head is so far from the agreed one that its state is not the present. */
export const isBehind = (head: BlockHead, agreed: BlockHead | undefined): boolean =>
  agreed !== undefined && (head.height + tipBlocks < agreed.height || head.timeMs + clusterMs < agreed.timeMs);

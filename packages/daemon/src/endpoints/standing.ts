import { clusterMs, type BlockHead, tipBlocks } from './head.js';
import { type Movement, stillFor } from './movement.js';

/**
 * Relation of an endpoint to the present of the chain. Data from `live` endpoints are preferred, data from `unknown`
 * ones (no current head) come next, data from all others are never used.
 */
export type Standing = 'live' | 'unknown' | 'wrong_chain' | 'forked' | 'syncing' | 'behind';

/** Maximum ratio of block time to elapsed time while blocks arrive at the usual rate. */
const usualPace = 2;

/** Age of a latest block that may be an error of the daemon's own clock, milliseconds. */
const clockErrorMs = 3_600_000;

/** The time of day, which can jump, and awake time, which cannot. */
interface Now {
  readonly clockMs: number;
  readonly awakeMs: number;
}

/**
 * Whether the endpoint is fetching old blocks: its latest block is old and the next ones arrive fast, or it reports so
 * itself. An endpoint that reports so but receives no block is stalled; one whose blocks arrive at the pace of time
 * follows the chain.
 */
export const isFetching = (movement: Movement, flag: boolean, { clockMs, awakeMs }: Now): boolean => {
  const ageMs = clockMs - movement.head.timeMs;
  if (ageMs <= clusterMs) return false;
  if (movement.looks === 0 && (movement.pace ?? 0) > usualPace) return true;
  const follows = ageMs < clockErrorMs && advancesAsTime(movement, awakeMs);
  return flag && !follows && stillFor(movement, awakeMs) === 0;
};

/** Whether blocks arrive at the endpoint at the pace of time. */
export const advancesAsTime = (movement: Movement | undefined, awakeMs: number): boolean =>
  movement?.pace !== undefined &&
  movement.pace > 1 / usualPace &&
  movement.pace < usualPace &&
  stillFor(movement, awakeMs) === 0;

/** Whether a head is so far from the agreed one that its state is not current. */
export const isBehind = (head: BlockHead, agreed: BlockHead | undefined): boolean =>
  agreed !== undefined && (head.height + tipBlocks < agreed.height || head.timeMs + clusterMs < agreed.timeMs);

import { clusterMs, type Head, tipBlocks } from './head.js';
import type { Movement } from './movement.js';

/**
 * How an endpoint stands to the present of the chain. Data of `live` ones are used; of `unknown` ones (no head told now)
 * after those; of all others never.
 */
export type Standing = 'live' | 'unknown' | 'wrong_chain' | 'forked' | 'syncing' | 'behind';

/** Chain time that passes in an hour may be this many hours while blocks come as usual. */
const usualPace = 2;

/** Whether the endpoint is fetching old blocks, whatever its flag says: its newest block is old, and the next ones come fast. */
export const isFetching = (movement: Movement, flag: boolean, clockMs: number): boolean =>
  clockMs - movement.head.timeMs > clusterMs && (flag || (movement.looks === 0 && (movement.pace ?? 0) > usualPace));

/** Whether a head is so far from the agreed one that its state is not the present. */
export const isBehind = (head: Head, agreed: Head | undefined): boolean =>
  agreed !== undefined && (head.height + tipBlocks < agreed.height || head.timeMs + clusterMs < agreed.timeMs);

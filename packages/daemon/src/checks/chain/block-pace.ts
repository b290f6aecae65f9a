import { HubError } from '@hubwatch/client';
import { blockTime } from '../../endpoints/block-time.js';
import type { Endpoint } from '../../endpoints/endpoint.js';
import type { BlockHead } from '../../endpoints/head.js';
import { msOf } from '../times.js';

/** Number of blocks over which the pace is measured, if they are available. */
export const windowBlocks = 10_000n;
/** Minimum number of blocks for a measurement. */
export const leastBlocks = 100n;
/** Number of parts of the window. A halt in one part does not affect the others. */
const parts = 5n;

/** Block pace over a window that ends at the head. */
export interface BlockPace {
  /** Number of blocks in the window; less than requested if older blocks are not available. */
  readonly blocks: bigint;
  /** Median over the parts of the window, and its range. */
  readonly msPerBlock: number;
  readonly fastestMs: number;
  readonly slowestMs: number;
}

/** Computes the pace from blocks with known heights and times, oldest first; `undefined` if they span too few blocks. */
export const paceOf = (points: readonly BlockHead[]): BlockPace | undefined => {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || last.height - first.height < leastBlocks) return undefined;
  const paces = points
    .slice(1)
    .map(({ height, timeMs }, index) => {
      const before = points[index] as BlockHead;
      return (timeMs - before.timeMs) / Number(height - before.height);
    })
    .toSorted((a, b) => a - b);
  const middle = Math.floor((paces.length - 1) / 2);
  return {
    blocks: last.height - first.height,
    msPerBlock: paces[middle] as number,
    fastestMs: paces[0] as number,
    slowestMs: paces.at(-1) as number,
  };
};

/** Returns when the chain reaches a height at this pace, in milliseconds of chain time. */
export const arrivalMs = (head: BlockHead, height: bigint, pace: Pick<BlockPace, 'msPerBlock'>): number =>
  head.timeMs + Number(height - head.height) * pace.msPerBlock;

type Held = { readonly timeMs: number } | { readonly lowest: bigint | undefined };

/** Reads the time of a block; if the block is not available, returns the lowest available height. */
const heldTime = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<Held> => {
  try {
    const time = await blockTime(endpoint, height, signal);
    return time === undefined ? { lowest: undefined } : { timeMs: msOf(time) };
  } catch (error) {
    if (signal.aborted || !(error instanceof HubError)) throw error;
    return { lowest: error.lowestHeight };
  }
};

/** Heights of the parts of a window, oldest first, without the head. */
const heightsOf = (from: bigint, head: bigint): readonly bigint[] =>
  Array.from({ length: Number(parts) }, (_, index) => from + ((head - from) * BigInt(index)) / parts);

/**
 * Reads the pace from the first endpoint that has the whole window, otherwise from the endpoint with the longest window. A
 * window has at least 100 blocks, so that two blocks never determine the pace.
 */
export const readPace = async (
  endpoints: readonly Endpoint[],
  head: BlockHead,
  signal: AbortSignal,
): Promise<BlockPace | undefined> => {
  const wanted = head.height > windowBlocks ? head.height - windowBlocks : 1n;
  let longest: { readonly endpoint: Endpoint; readonly from: bigint } | undefined;
  for (const endpoint of endpoints) {
    const held = await heldTime(endpoint, wanted, signal);
    if ('timeMs' in held) {
      longest = { endpoint, from: wanted };
      break;
    }
    const { lowest } = held;
    if (lowest !== undefined && (longest === undefined || lowest < longest.from)) longest = { endpoint, from: lowest };
  }
  if (longest === undefined || head.height - longest.from < leastBlocks) return undefined;
  const points: BlockHead[] = [];
  for (const height of heightsOf(longest.from, head.height)) {
    const held = await heldTime(longest.endpoint, height, signal);
    // The block may have been pruned meanwhile; the other blocks give a shorter window.
    if ('timeMs' in held) points.push({ height, timeMs: held.timeMs });
  }
  return paceOf([...points, head]);
};

import { HubError } from '@hubwatch/client';
import { blockTime } from '../../endpoints/block-time.js';
import type { Endpoint } from '../../endpoints/endpoint.js';
import type { BlockHead } from '../../endpoints/head.js';
import { msOf } from '../times.js';

/** Blocks over which the pace is taken, where they are held. */
export const windowBlocks = 10_000n;
/** Fewer blocks tell nothing of the pace. */
export const leastBlocks = 100n;
/** Parts of the window: one in which the chain stood still does not count for the others. */
const parts = 5n;

/** How fast blocks came over a window that ends at the head. */
export interface BlockPace {
  /** Blocks of the window: fewer than asked for where older ones are not held. */
  readonly blocks: bigint;
  /** Median over the parts of the window, and its limits. */
  readonly msPerBlock: number;
  readonly fastestMs: number;
  readonly slowestMs: number;
}

/** Pace of blocks of which heights and times are known, oldest first; `undefined` when they span too few blocks. */
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

/** When the chain gets to a height at that pace, milliseconds of chain time. */
export const arrivalMs = (head: BlockHead, height: bigint, pace: Pick<BlockPace, 'msPerBlock'>): number =>
  head.timeMs + Number(height - head.height) * pace.msPerBlock;

type Held = { readonly timeMs: number } | { readonly lowest: bigint | undefined };

/** Time of a block, or the lowest that is held instead. */
const heldTime = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<Held> => {
  try {
    const time = await blockTime(endpoint, height, signal);
    return time === undefined ? { lowest: undefined } : { timeMs: msOf(time) };
  } catch (error) {
    if (signal.aborted || !(error instanceof HubError)) throw error;
    return { lowest: error.lowestHeight };
  }
};

/** Heights of the parts of a window, oldest first, without the head itself. */
const heightsOf = (from: bigint, head: bigint): readonly bigint[] =>
  Array.from({ length: Number(parts) }, (_, index) => from + ((head - from) * BigInt(index)) / parts);

/**
 * Reads the pace from the first endpoint that holds the whole window, else from the one that holds the longest. Two blocks
 * never decide it: a window is at least a hundred.
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
    // Pruned since it was named: the others make a shorter window.
    if ('timeMs' in held) points.push({ height, timeMs: held.timeMs });
  }
  return paceOf([...points, head]);
};

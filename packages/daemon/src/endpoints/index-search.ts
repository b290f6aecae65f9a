import { HubError } from '@hubwatch/client';
import type { Endpoint } from './endpoint.js';

/**
 * Whether the index has a block. It is written block by block, transactions and block together, and finds one height without
 * a walk over others; a block without transactions is found too.
 *
 * @throws HubError when the search fails; `unimplemented` for an index that is kept elsewhere and cannot be searched
 */
export const indexHas = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<boolean> => {
  try {
    const { totalCount } = await endpoint.rpc('block_search', { query: `block.height=${height}` }, { signal });
    return totalCount > 0n;
  } catch (error) {
    // The entry is there, and the block that it names is pruned: transactions of it are found all the same.
    if (!signal.aborted && error instanceof HubError && error.code === 'height_not_retained') return true;
    throw error;
  }
};

/** Blocks before the newest at which the index is looked for. */
const lags = [1n, 10n, 100n, 1_000n];

/**
 * Newest blocks that the index lacks, at most; `none_found`: it lacks the last thousand; `undefined`: there are too few
 * blocks to tell.
 *
 * @throws HubError as `indexHas`
 */
export const indexLag = async (
  endpoint: Endpoint,
  { first, newest }: { readonly first: bigint; readonly newest: bigint },
  signal: AbortSignal,
): Promise<bigint | 'none_found' | undefined> => {
  const within = lags.filter((lag) => newest - lag >= first);
  for (const lag of within) if (await indexHas(endpoint, newest - lag, signal)) return lag;
  return within.length === 0 ? undefined : 'none_found';
};

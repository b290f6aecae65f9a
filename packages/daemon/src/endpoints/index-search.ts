import { HubError } from '@hubwatch/client';
import type { Endpoint } from './endpoint.js';

/**
 * Whether the index contains a block. The index is written block by block, transactions and block together, and looks
 * up one height without a scan. A block without transactions is found too.
 *
 * @throws HubError if the search fails; `unimplemented` for an index stored elsewhere that cannot be searched
 */
export const indexHas = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<boolean> => {
  try {
    const { totalCount } = await endpoint.rpc('block_search', { query: `block.height=${height}` }, { signal });
    return totalCount > 0n;
  } catch (error) {
    // The entry exists but its block is pruned: the search for its transactions still works.
    if (!signal.aborted && error instanceof HubError && error.code === 'height_not_retained') return true;
    throw error;
  }
};

/** Distances from the latest block at which the index is searched. */
const lags = [1n, 10n, 100n, 1_000n];

/**
 * Upper bound on the number of latest blocks missing from the index. `none_found`: the last thousand are missing.
 * `undefined`: there are too few blocks to decide.
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

import type { ErrorCode, HubErrorFacts } from './error.js';

/** First height of every hub v12 chain: the chain was restarted there, so no lower height ever existed. */
export const firstHeight = 901_801n;

/** Meaning of a refusal: the code, and the heights that the node states with it. */
export type Refusal = Pick<HubErrorFacts, 'lowestHeight' | 'latestHeight'> & { readonly code: ErrorCode };

/**
 * Interprets refusals of a height. gRPC, REST, abci_query and the consensus RPC all relay the same texts. Their codes
 * also cover other failures, so only the text distinguishes them.
 *
 * @source proto/spec/errors.yaml, rows.height_not_retained, rows.block_not_held and rows.height_in_future
 */
export function readHeightRefusal(text: string): Refusal | undefined {
  // The node has no block yet: `<application name> is not ready; please wait for first block`
  if (/is not ready; please wait for first block/.test(text)) return { code: 'starting' };
  const latest = /\(latest height: (\d+)\)|current (?:blockchain )?height (\d+)|greater than latest height (\d+)/.exec(
    text,
  );
  const latestHeight = bigintOf(latest?.[1] ?? latest?.[2] ?? latest?.[3]);
  // state queries (two wordings), block methods of the consensus RPC, GetBlockByHeight
  if (
    /cannot query with height in the future|given height \d+ is greater than latest height|must be less than or equal to the current blockchain height|requested block height is bigger then the chain length/.test(
      text,
    )
  ) {
    return { code: 'height_in_future', latestHeight };
  }
  // GetBlockWithTxs
  const requested = /requested height (-?\d+) but height must not be less than 1 or greater than/.exec(text)?.[1];
  if (requested !== undefined) {
    return BigInt(requested) < 1n ? { code: 'invalid_argument' } : { code: 'height_in_future', latestHeight };
  }
  // negative or not an integer
  if (
    /cannot query with height < 0|must be >= 0|invalid height header|height must be greater than 0|cannot query with proof when height <= 1|heights must be non-negative/.test(
      text,
    )
  ) {
    return { code: 'invalid_argument' };
  }
  // The text is the same for a pruned block and one that never existed.
  const block = /height (\d+) is not available, lowest height is (\d+)/.exec(text);
  if (block !== null) return { code: lostHeightCode(bigintOf(block[1])), lowestHeight: bigintOf(block[2]) };
  // Pruned, never committed by this node, or being pruned; height 0 means that the node has no state yet.
  const state = /failed to load state at height (\d+)/.exec(text)?.[1];
  if (state === '0') return { code: 'starting' };
  if (state === undefined) return undefined;
  // A node whose latest height is this one or a lower one has not executed it yet: the state is not lost.
  if (latestHeight !== undefined && BigInt(state) >= latestHeight) return { code: 'height_in_future', latestHeight };
  return { code: lostHeightCode(BigInt(state)), latestHeight };
}

/** Code of a height that the node does not retain: below the first height, no block ever existed. */
export function lostHeightCode(height: bigint | undefined): ErrorCode {
  return height !== undefined && height < firstHeight ? 'height_never_existed' : 'height_not_retained';
}

function bigintOf(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(text);
}

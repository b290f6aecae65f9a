import type { ErrorCode } from './error.js';

/** First height of every hub v12 chain: the chain was restarted there, nothing below ever existed. */
export const firstHeight = 901_801n;

/** @source gateway §2.2: the codes of gRPC, which REST bodies repeat. */
const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  1: 'cancelled',
  3: 'invalid_argument',
  4: 'timeout',
  5: 'not_found',
  8: 'rate_limited',
  12: 'unimplemented',
  13: 'internal',
  14: 'unavailable',
};

/**
 * Refusals of the application framework. gRPC, REST and abci_query all relay its text, and code 2 (abci: 18) stands for
 * several of them, so that the text alone tells them apart.
 *
 * @source gateway §1.4 and §2.1, consensus rpc §3.1
 */
export function codeOfHeightText(text: string): ErrorCode | undefined {
  // §1.4, node has no block yet: `<application name> is not ready; please wait for first block`
  if (/is not ready; please wait for first block/.test(text)) return 'starting';
  // §1.4, above latest; §3.1 has an older wording
  if (/cannot query with height in the future|given height \d+ is greater than latest height/.test(text)) {
    return 'height_in_future';
  }
  // gateway §1.4, negative and not an integer
  if (/cannot query with height < 0|must be >= 0|invalid height header/.test(text)) return 'invalid_argument';
  // gateway §1.4, pruned, never committed by this node, being pruned; consensus rpc §3, where a block method relays the engine
  const lost = /failed to load state at height (\d+)|height (\d+) is not available, lowest height is/.exec(text);
  if (lost !== null) return lostHeightCode(lost[1] ?? lost[2]);
  // consensus rpc §3, relayed likewise
  if (/must be less than or equal to the current blockchain height/.test(text)) return 'height_in_future';
  return /height must be greater than 0/.test(text) ? 'invalid_argument' : undefined;
}

/** Code of a height that the node does not hold: below the first one there never was anything. */
export function lostHeightCode(height: string | bigint | undefined): ErrorCode {
  return height !== undefined && BigInt(height) < firstHeight ? 'height_never_existed' : 'height_not_retained';
}

/** Code of a gRPC status, of the trailers or of a REST body. */
export function codeOfStatus(status: number, text: string): ErrorCode {
  // §1.1 and §2.1: code 8 is a message over the size limit of either side as often as a rate limit.
  if (status === 8 && /message (?:after decompression )?larger than max|larger than .*limit/i.test(text))
    return 'limit';
  if (status === 2 || status === 3) {
    const refusal = codeOfHeightText(text);
    if (refusal !== undefined) return refusal;
  }
  // §2.1, mode B: a method that is not served is code 2 with this text
  if (status === 2 && /unknown query path/.test(text)) return 'unimplemented';
  return codeByStatus[status] ?? 'unknown';
}

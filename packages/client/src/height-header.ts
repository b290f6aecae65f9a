import { HubError } from './error.js';
import { type Place, placeText } from './place.js';

/** Neutral name of the header that carries the height in both directions. */
export const heightHeader = 'x-stack-block-height';

/** Neutral name under which the REST gateway forwards the header in its responses. */
export const answeredHeightHeader = 'grpc-metadata-x-stack-block-height';

/** Greatest height that fits the signed 64 bits of the wire. */
const maxHeight = 2n ** 63n - 1n;

/**
 * Rejects a height that no chain can have; 0 means the latest state, as on the node.
 *
 * @throws HubError `invalid_argument`
 */
export function requireHeight(height: bigint | undefined, place: Place): void {
  if (height === undefined || (typeof height === 'bigint' && height >= 0n && height <= maxHeight)) return;
  throw new HubError({
    code: 'invalid_argument',
    message: `${placeText(place)}: the height ${String(height)} is none; a bigint from 0 (the newest) to 2^63 - 1 is expected`,
    ...place,
  });
}

/** Height from a header value; `undefined` if the value is invalid or outside 64 bits. */
export function readHeight(text: string | undefined): bigint | undefined {
  const height = text !== undefined && /^[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined;
  return height !== undefined && height <= maxHeight ? height : undefined;
}

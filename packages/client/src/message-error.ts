import { HubError, type RawStatus, errorText } from './error.js';
import { type Place, placeText } from './place.js';

/** Error for a response that does not fit its message. */
export function decodeError(place: Place, cause: unknown, raw: RawStatus = {}): HubError {
  return new HubError({
    code: 'decode',
    message: `${placeText(place)}: the answer cannot be read: ${errorText(cause)}`,
    ...place,
    raw,
    cause,
  });
}

/**
 * Reads a response.
 *
 * @throws HubError `decode` for anything that `read` throws
 */
export function readAnswer<T>(read: () => T, place: Place, raw?: RawStatus): T {
  try {
    return read();
  } catch (error) {
    throw decodeError(place, error, raw);
  }
}

/**
 * Writes a request.
 *
 * @throws HubError `invalid_argument` for anything that `write` throws
 */
export function writeRequest<T>(write: () => T, place: Place): T {
  try {
    return write();
  } catch (error) {
    throw new HubError({
      code: 'invalid_argument',
      message: `${placeText(place)}: the request cannot be written: ${errorText(error)}`,
      ...place,
      cause: error,
    });
  }
}

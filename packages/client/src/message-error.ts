import { HubError, type RawStatus } from './error.js';
import { type Place, placeText } from './place.js';

/** The answer came and does not fit its message. */
export function decodeError(place: Place, cause: unknown, raw: RawStatus = {}): HubError {
  return new HubError({
    code: 'decode',
    message: `${placeText(place)}: the answer cannot be read: ${textOf(cause)}`,
    ...place,
    raw,
    cause,
  });
}

/**
 * Reads an answer.
 *
 * @throws HubError `decode` for whatever `read` throws
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
 * @throws HubError `invalid_argument` for whatever `write` throws
 */
export function writeRequest<T>(write: () => T, place: Place): T {
  try {
    return write();
  } catch (error) {
    throw new HubError({
      code: 'invalid_argument',
      message: `${placeText(place)}: the request cannot be written: ${textOf(error)}`,
      ...place,
      cause: error,
    });
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

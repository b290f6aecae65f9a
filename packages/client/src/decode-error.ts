import { HubError, type RawStatus } from './error.js';
import { type Place, placeText } from './place.js';

/** The answer came and does not fit its message. */
export function decodeError(place: Place, cause: unknown, raw: RawStatus = {}): HubError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new HubError({
    code: 'decode',
    message: `${placeText(place)}: the answer cannot be read: ${text}`,
    ...place,
    raw,
    cause,
  });
}

/** The request cannot be written. */
export function requestError(place: Place, cause: unknown): HubError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new HubError({
    code: 'invalid_argument',
    message: `${placeText(place)}: the request cannot be written: ${text}`,
    ...place,
    cause,
  });
}

import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { decodeError } from '../decode-error.js';
import { heightHeader, readHeight } from '../height-header.js';
import type { Place } from '../place.js';
import type { Answer } from '../transport.js';

/**
 * Reads the message and the initial metadata of an answer.
 *
 * @throws HubError `decode`
 */
export function readGrpcResponse<M extends AnyMethod>(
  method: M,
  message: Uint8Array,
  metadata: (name: string) => string | undefined,
  naming: Naming,
  place: Place,
): Answer<ResponseOf<M>> {
  try {
    const form = decodeBinary(method.response, message, naming) as ResponseOf<M>;
    return { message: form, height: readHeight(metadata(naming.headerToWire(heightHeader))) };
  } catch (error) {
    throw decodeError(place, error);
  }
}

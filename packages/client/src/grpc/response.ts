import { decodeBinary } from '@hubwatch/types/runtime/decode';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { heightHeader, readHeight } from '../height-header.js';
import { readAnswer } from '../message-error.js';
import { isCut } from '../pages/is-cut.js';
import type { Place } from '../place.js';
import type { Answer } from '../transport.js';

/**
 * Reads the message and the initial metadata of a response.
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
  const form = readAnswer(() => decodeBinary(method.response, message, naming), place) as ResponseOf<M>;
  return { message: form, ...isCut(method, form), height: readHeight(metadata(naming.headerToWire(heightHeader))) };
}

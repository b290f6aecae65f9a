import { fromJsonText } from '@hubwatch/types/runtime/decode';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { answeredHeightHeader, heightHeader, readHeight } from '../height-header.js';
import type { HttpAnswer } from '../http/exchange.js';
import { readAnswer } from '../message-error.js';
import { isCut } from '../pages/is-cut.js';
import { parsePeerJson } from '../parse-json.js';
import type { Place } from '../place.js';
import type { Answer } from '../transport.js';
import { restError } from './error.js';

/**
 * Reads a response of the gateway.
 *
 * @throws HubError `decode` when the body does not fit the message, and each code of a refusal
 */
export function readRestResponse<M extends AnyMethod>(
  method: M,
  answer: HttpAnswer,
  naming: Naming,
  place: Place,
): Answer<ResponseOf<M>> {
  // A page of a proxy can have status 200 and any content type.
  if (answer.status !== 200 || !/^\s*\{/.test(answer.body)) throw restError(answer, place);
  const read = (text: string): unknown => fromJsonText(method.response, text, naming);
  const message = readAnswer(() => parsePeerJson(answer.body, read), place, {
    httpStatus: answer.status,
  }) as ResponseOf<M>;
  // Proxies and other gateways forward the node's header without the prefix.
  const height =
    readHeight(answer.header(naming.headerToWire(answeredHeightHeader))) ??
    readHeight(answer.header(naming.headerToWire(heightHeader)));
  return { message, ...isCut(method, message), height };
}

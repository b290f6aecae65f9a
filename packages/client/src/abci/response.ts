import { decodeBinary } from '@hubwatch/types/runtime/decode';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { readAnswer } from '../message-error.js';
import { isCut } from '../pages/is-cut.js';
import type { Place } from '../place.js';
import { readAbciQuery } from '../rpc/read-tx.js';
import type { AbciQueryResult } from '../rpc/results.js';
import type { Answer } from '../transport.js';
import { abciError } from './error.js';

/**
 * Reads the result of an `abci_query`: the same protobuf bytes as over gRPC.
 *
 * @throws HubError `decode`, and each code of a refusal
 */
export function readAbciResponse<M extends AnyMethod>(
  method: M,
  result: unknown,
  naming: Naming,
  place: Place,
): Answer<ResponseOf<M>> {
  const answer = readAnswer(() => readAbciQuery(result), place);
  if (answer.code !== 0) throw abciError(answer, place);
  const message = readAnswer(() => decodeBinary(method.response, answer.value, naming), place) as ResponseOf<M>;
  return { message, ...isCut(method, message), height: heightOf(answer) };
}

/** Height 0 means that the node opened no state. */
function heightOf(answer: AbciQueryResult): bigint | undefined {
  return answer.height > 0n ? answer.height : undefined;
}

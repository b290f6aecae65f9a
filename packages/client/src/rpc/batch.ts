import { HubError } from '../error.js';
import type { HttpAnswer } from '../http/exchange.js';
import { decodeError } from '../message-error.js';
import { parsePeerJson } from '../parse-json.js';
import type { Place } from '../place.js';
import type { RpcMethod, RpcParams } from './params.js';
import { readRpcAnswer } from './response.js';
import type { RpcResult } from './results.js';

/** One call of a batch. */
export type RpcCall = { [M in RpcMethod]: { readonly method: M; readonly params?: RpcParams<M> } }[RpcMethod];

/** Result of one call of a batch: each succeeds or fails independently. */
export type RpcOutcome<M extends RpcMethod> =
  | { readonly ok: true; readonly result: RpcResult<M> }
  | { readonly ok: false; readonly error: HubError };

/**
 * Splits the response of a batch by id: the undecoded result of each call, or its HubError. A batch with one result is
 * returned as an object instead of a list.
 *
 * @throws HubError when the batch as a whole was refused: then none of it, or an unknown part, was executed
 * @source proto/spec/rpc.yaml, transports.post
 */
export function readBatch(
  answer: HttpAnswer,
  asked: readonly { readonly id: number; readonly place: Place }[],
  place: Place,
): unknown[] {
  const answers = answersOf(answer.body);
  if (answers === undefined) {
    readRpcAnswer(answer, 0, place);
    throw decodeError(place, new Error('the answer is no batch'), { httpStatus: answer.status });
  }
  // A panic of a handler, or a refused body, is one error that belongs to no call.
  const stray = answers.find((item) => !asked.some(({ id }) => id === item.id));
  if (stray !== undefined) {
    readRpcAnswer({ ...answer, body: JSON.stringify(stray) }, 0, place);
  }
  return asked.map(({ id, place: own }) => {
    const found = answers.find((item) => item.id === id);
    if (found === undefined) return decodeError(own, new Error(`the batch has no answer with the id ${id}`));
    try {
      return readRpcAnswer({ ...answer, body: JSON.stringify(found) }, id, own);
    } catch (error) {
      if (error instanceof HubError) return error;
      throw error;
    }
  });
}

function answersOf(body: string): readonly { readonly id?: unknown }[] | undefined {
  try {
    const json = parsePeerJson(body);
    const list = Array.isArray(json) ? (json as unknown[]) : [json];
    return list.every((item) => typeof item === 'object' && item !== null) ? list : undefined;
  } catch {
    // A page of a proxy.
    return undefined;
  }
}

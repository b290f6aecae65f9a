import { decodeError } from '../message-error.js';
import { nodeText } from '../node-text.js';
import type { HttpAnswer } from '../http/exchange.js';
import { parsePeerJson } from '../parse-json.js';
import type { Place } from '../place.js';
import { type RpcFailure, rpcError, rpcHttpError } from './error.js';

/**
 * Result of a JSON-RPC response, undecoded.
 *
 * @param id id of the request
 * @throws HubError with the code of a JSON-RPC error, `http` when there is no JSON-RPC object, `decode` when the
 * response belongs to another request
 */
export function readRpcAnswer(answer: HttpAnswer, id: number, place: Place): unknown {
  let body: unknown;
  try {
    body = parsePeerJson(answer.body);
  } catch {
    // A page of a proxy; classified by its HTTP status.
    throw rpcHttpError(answer, place);
  }
  if (typeof body !== 'object' || body === null) throw rpcHttpError(answer, place);
  const members = body as { id?: unknown; result?: unknown; error?: unknown };
  if (members.error !== undefined && members.error !== null) {
    throw rpcError(readFailure(members.error), place, answer.status);
  }
  if (members.result === undefined) throw rpcHttpError(answer, place);
  if (members.id !== id) {
    throw decodeError(place, new Error(`the answer has the id ${String(members.id)}, the request had ${id}`));
  }
  return members.result;
}

export function readFailure(error: unknown): RpcFailure {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? nodeText(message) : '',
    data: typeof data === 'string' ? nodeText(data) : '',
  };
}

import { type ErrorCode, HubError } from '../error.js';
import { codeOfHeightText } from '../framework-error.js';
import type { HttpAnswer } from '../http/exchange.js';
import { codeOfHttpStatus } from '../http/status-code.js';
import { type Place, placeText } from '../place.js';

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data: string;
}

/** Maps an error object of JSON-RPC. */
export function rpcError(failure: RpcFailure, place: Place, httpStatus: number): HubError {
  const text = failure.data === '' ? failure.message : failure.data;
  return new HubError({
    code: codeOf(failure),
    message: `${placeText(place)}: ${text}`,
    ...place,
    raw: { rpcCode: failure.code, httpStatus, text },
  });
}

/** An answer without a JSON-RPC object: it comes from a proxy, or the node had no time to answer. */
export function rpcHttpError(answer: HttpAnswer, place: Place): HubError {
  return new HubError({
    code: codeOfHttpStatus(answer.status),
    message: `${placeText(place)}: HTTP ${answer.status} without a JSON-RPC answer: ${JSON.stringify(answer.body.slice(0, 120))}`,
    ...place,
    raw: { httpStatus: answer.status, text: answer.body.slice(0, 500) },
  });
}

/** @source consensus rpc §2.2 (codes) and §3 (the text in `data` is the only discriminator of -32603) */
function codeOf({ code, data }: RpcFailure): ErrorCode {
  if (code === -32601) return 'unimplemented';
  if (code === -32602 || code === -32700) return 'invalid_argument';
  if (code === -32600) return /request body too large/.test(data) ? 'limit' : 'invalid_argument';
  // §3: block, block_results, commit, header, validators, consensus_params; state heights of abci_query
  const refusal = codeOfHeightText(data);
  if (refusal !== undefined) return refusal;
  if (/heights must be non-negative/.test(data)) return 'invalid_argument';
  // §3: the record of a height that is not executed yet, or lost
  if (/could not find (?:results|validator set|consensus params) for height/.test(data)) return 'not_found';
  // §3: `tx (<HASH>) not found`
  if (/^tx \([0-9A-F]*\) not found/.test(data)) return 'not_found';
  if (/subscriptions?_(?:clients|per_client) \d+ reached/.test(data)) return 'limit';
  if (/mempool is full/.test(data)) return 'rate_limited';
  if (/indexing is disabled|is not supported$|not persisting abci responses/.test(data)) return 'unimplemented';
  if (/context deadline exceeded|timed out waiting for tx/.test(data)) return 'timeout';
  if (/page should be within|maximum query length|parse error near|expected order_by/.test(data)) {
    return 'invalid_argument';
  }
  return code === -32603 || code === -32000 ? 'internal' : 'unknown';
}

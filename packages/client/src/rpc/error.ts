import { type ErrorCode, HubError } from '../error.js';
import { codeOfHttpStatus } from '../failure-table.js';
import { type Refusal, readHeightRefusal } from '../height-refusal.js';
import type { HttpAnswer } from '../http/exchange.js';
import { retryAfterOf } from '../http/retry-after.js';
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
    ...refusalOf(failure),
    message: `${placeText(place)}: ${text}`,
    ...place,
    raw: { rpcCode: failure.code, httpStatus, text },
  });
}

/** Error for a response without a JSON-RPC object: it comes from a proxy, or the node ran out of time. */
export function rpcHttpError(answer: HttpAnswer, place: Place): HubError {
  return new HubError({
    // the page of the node for a path that is not a method
    code:
      answer.status === 404 && answer.body === '404 page not found\n'
        ? 'unimplemented'
        : codeOfHttpStatus(answer.status),
    message: `${placeText(place)}: HTTP ${answer.status} without a JSON-RPC answer: ${JSON.stringify(answer.body.slice(0, 120))}`,
    ...place,
    raw: { httpStatus: answer.status, text: answer.body.slice(0, 500), ...retryAfterOf(answer.header) },
  });
}

/** Failures with code -32603 differ only by the text in `data`. @source proto/spec/errors.yaml, rows */
function refusalOf({ code, data }: RpcFailure): Refusal {
  if (code === -32601) return { code: 'unimplemented' };
  if (code === -32602 || code === -32700) return { code: 'invalid_argument' };
  if (code === -32600) return { code: /request body too large/.test(data) ? 'limit' : 'invalid_argument' };
  // block, block_results, commit, header, validators, consensus_params; state heights of abci_query
  const refusal = readHeightRefusal(data);
  if (refusal !== undefined) return refusal;
  const known = texts.find(([pattern]) => pattern.test(data))?.[1];
  return { code: known ?? (code === -32603 || code === -32000 ? 'internal' : 'unknown') };
}

/** Texts of the consensus RPC; the first match is used. */
const texts: readonly (readonly [RegExp, ErrorCode])[] = [
  [/tx already exists in cache/i, 'already_known'],
  [/mempool is full/, 'rate_limited'],
  [/subscriptions?_(?:clients|per_client) \d+ reached/, 'limit'],
  [/context deadline exceeded|timed out waiting for tx/, 'timeout'],
  // The node does not keep this kind of data, for any height or hash.
  [
    /no query handler found|indexing is disabled|is not supported$|not persisting (?:abci|finalize block) responses/,
    'unimplemented',
  ],
  // The record of a height that is not executed yet, or is lost.
  [
    /could not find (?:results|validator set|consensus params) for height|couldn't find validators at height/,
    'not_found',
  ],
  [/^tx \([0-9A-F]*\) not found|^subscription not found/, 'not_found'],
  [
    /page should be within|maximum query length|parse error near|expected order_by|searching for a hash/,
    'invalid_argument',
  ],
  [/min height -?\d+ can't be greater than max height|there are \d+ chunks|hash cannot be empty/, 'invalid_argument'],
  [/Tx too large|tx size is too big|already subscribed|converting json params/, 'invalid_argument'],
  [/evidence|no (?:seeds|peers) provided|does not contain ID|invalid address/, 'invalid_argument'],
  [/use the genesis_chunked API/, 'limit'],
];

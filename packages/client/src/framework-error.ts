import type { ErrorCode } from './error.js';
import { codeOfGrpcStatus } from './failure-table.js';
import { type Refusal, readHeightRefusal } from './height-refusal.js';

/** Interprets a gRPC status from the trailers, from a REST body, or from a text of `abci_query` that names one. */
export function readFrameworkStatus(status: number, text: string): Refusal {
  // Code 8 is either a rate limit or a message over the size limit of one side.
  if (
    status === 8 &&
    /message (?:after decompression )?larger than max|larger than .{0,100}limit|decompresses to a size larger than/i.test(
      text,
    )
  ) {
    return { code: 'limit' };
  }
  if (status === 2 || status === 3) {
    const refusal = readHeightRefusal(text);
    if (refusal !== undefined) return refusal;
  }
  // Votes and deposits that do not exist have code 3.
  if (status === 3 && /\b(?:voter|depositer): \S+ not found for proposal/.test(text)) return { code: 'not_found' };
  if (status === 2 || status === 13) {
    const code = codeOfPlainText(text);
    if (code !== undefined) return { code };
  }
  return { code: codeOfGrpcStatus(status) };
}

/**
 * Interprets plain errors of handlers, which have code 2 or 13 over gRPC and REST and 18, 6 or 111222 over
 * `abci_query`. Only their text shows whether the record or the request is at fault.
 *
 * @source proto/spec/errors.yaml, rows, and the recorded refusals
 */
export function codeOfPlainText(text: string): ErrorCode | undefined {
  // If the node's gRPC is disabled, the gateway returns code 2 with this text for a method that is not served
  if (/unknown query path|no query handler found/.test(text)) return 'unimplemented';
  const ofTx = codeOfTxText(text);
  if (ofTx !== undefined) return ofTx;
  // text of the consensus RPC, relayed by the tx service
  if (/indexing is disabled/.test(text)) return 'unimplemented';
  if (argumentTexts.some((pattern) => pattern.test(text))) return 'invalid_argument';
  return absenceTexts.some((pattern) => pattern.test(text)) ? 'not_found' : undefined;
}

/** Interprets refusals of a transaction that its sender can remedy, by the texts of the admission test (CheckTx). */
export function codeOfTxText(text: string): ErrorCode | undefined {
  if (/account sequence mismatch|incorrect account sequence/.test(text)) return 'wrong_sequence';
  return /insufficient (?:account )?funds|is smaller than .{0,200}insufficient/.test(text)
    ? 'insufficient_funds'
    : undefined;
}

const argumentTexts: readonly RegExp[] = [
  // Invalid addresses and hashes.
  /decoding bech32 failed|invalid Bech32 prefix|hrp does not match bech32Prefix/,
  /empty address (?:string|bytes) is not allowed|address(?:es)? cannot be empty|invalid address|encoding\/hex: /,
  // Members that a REST path requires.
  /empty class id|empty nft id|invalid denom: ?|hash is empty|invalid request; \w+ is empty|(?:denom|name|id) cannot be (?:empty|blank)/i,
  // Paging: two methods at once, or a page after the last.
  /either offset or key is expected, got both|page should be within|offset and count queries not supported/,
  // Transaction searches.
  /parse error near|maximum query length exceeded/,
  // Members that are missing or of the wrong kind, or bytes that are not a message.
  /must provide at least one of|must contain at least one message|unsupported return type|can't route a broadcast tx message/,
  /tx parse error|error unmarshalling request|^(?:unexpected )?EOF|query cannot be zero length/,
  // Raw paths of `abci_query`.
  /no such store: |path should be p2p filter|unexpected query path/,
];

const absenceTexts: readonly RegExp[] = [
  /\bnot found\b|desc = NotFound|(?:delegation|validator|class|nft) does not exist|unknown subspace/,
  /no such (?:code|contract)|no delegation for/,
];

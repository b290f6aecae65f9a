// Maps the status of a proxy, gRPC or HTTP/2 to an error code: one table for all transports. `platform-codes.ts` maps
// failures of the connection itself.
import type { ErrorCode } from './error.js';

/** Error code for an HTTP status that did not come from the node but from a proxy. */
export function codeOfHttpStatus(status: number): ErrorCode {
  if (status === 429) return 'rate_limited';
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'http';
}

/**
 * Error code for a gRPC status (also in REST bodies) whose text gives no more detail.
 *
 * @source proto/spec/errors.yaml, rows
 */
export function codeOfGrpcStatus(status: number): ErrorCode {
  return byGrpcStatus[status] ?? 'unknown';
}

const byGrpcStatus: Readonly<Record<number, ErrorCode>> = {
  1: 'cancelled',
  3: 'invalid_argument',
  4: 'timeout',
  5: 'not_found',
  8: 'rate_limited',
  11: 'invalid_argument',
  12: 'unimplemented',
  13: 'internal',
  14: 'unavailable',
};

/**
 * Error code for the HTTP/2 code with which a server closes a stream or a connection; `undefined` for unspecific codes.
 *
 * @source RFC 9113, section 7
 */
export function codeOfReset(resetCode: number): ErrorCode | undefined {
  return byReset[resetCode];
}

const byReset: Readonly<Record<number, ErrorCode>> = {
  1: 'http',
  2: 'internal',
  3: 'internal',
  4: 'internal',
  6: 'internal',
  7: 'unavailable',
  8: 'unavailable',
  9: 'decode',
  11: 'rate_limited',
  12: 'tls',
};

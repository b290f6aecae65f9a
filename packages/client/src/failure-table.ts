// What every failure below an answer of the node means to a caller: one table for all transports and for the daemon.
import type { ErrorCode } from './error.js';

/** Codes of the platform (libuv, c-ares, OpenSSL, fetch, ws, zlib, brotli) for a connection that failed or an answer that broke. */
const byPlatformCode: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  // Nobody listens there.
  ['ECONNREFUSED', 'refused'],
  // No route, or one that broke.
  ...codes('unavailable', 'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL EACCES EPERM EMFILE ENFILE'),
  ...codes('unavailable', 'ECONNRESET ECONNABORTED EPIPE ENOTCONN ESHUTDOWN UND_ERR_SOCKET UND_ERR_CLOSED'),
  ...codes('unavailable', 'UND_ERR_DESTROYED UND_ERR_RES_CONTENT_LENGTH_MISMATCH ERR_STREAM_PREMATURE_CLOSE'),
  ...codes(
    'unavailable',
    'ERR_SOCKET_CLOSED ERR_HTTP2_GOAWAY_SESSION ERR_HTTP2_INVALID_SESSION ERR_HTTP2_SESSION_ERROR',
  ),
  // A name without an address, or a resolver that fails.
  ...codes(
    'unavailable',
    'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL EREFUSED ENOTIMP EFORMERR',
  ),
  ...codes('timeout', 'ETIMEDOUT ETIMEOUT ESOCKETTIMEDOUT ERR_SOCKET_CONNECTION_TIMEOUT UND_ERR_CONNECT_TIMEOUT'),
  ...codes('timeout', 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'),
  // Headers over the 16 KiB that the platform accepts, and frames over the limit of the caller.
  ...codes('limit', 'UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE'),
  ...codes('limit', 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH WS_ERR_TOO_MANY_BUFFERED_PARTS'),
  // The connection ended inside the head of an answer.
  ['HPE_INVALID_EOF_STATE', 'unavailable'],
  // OpenSSL gives this one for a plaintext server on a TLS port.
  ['EPROTO', 'tls'],
  // Another protocol than HTTP/2.
  ['ERR_HTTP2_ERROR', 'http'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'decode'],
]);

/** Families of codes, where the platform has too many to name. */
const byFamily: readonly (readonly [RegExp, ErrorCode])[] = [
  // The parser of HTTP/1: what answers does not speak it.
  [/^HPE_/, 'http'],
  [/^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_)/, 'tls'],
  // Results of X.509 verification.
  [/CERT|^CRL_|_CRL|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/, 'tls'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'tls'],
  [/^WS_ERR_/, 'decode'],
  // A packed body that does not unpack.
  [/^(?:Z_|ERR_(?:BROTLI_DECODER)?_ERROR_)/, 'decode'],
];

function codes(code: ErrorCode, names: string): [string, ErrorCode][] {
  return names.split(' ').map((name) => [name, code]);
}

/** Meaning of a platform's error code; `undefined` where it has none here. */
export function codeOfPlatform(platformCode: string): ErrorCode | undefined {
  return byPlatformCode.get(platformCode) ?? byFamily.find(([pattern]) => pattern.test(platformCode))?.[1];
}

/** Meaning of an HTTP status that came without an answer of the node: a proxy spoke in its place. */
export function codeOfHttpStatus(status: number): ErrorCode {
  if (status === 429) return 'rate_limited';
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'http';
}

/**
 * Meaning of a gRPC status, which REST bodies repeat, where its text says no more.
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
 * Meaning of the HTTP/2 code with which a server gives up a stream or a connection; `undefined` for codes that say nothing.
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

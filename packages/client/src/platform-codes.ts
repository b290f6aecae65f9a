// Maps failures that Node reports with a code. Browser bundles contain platform-codes.browser.ts instead.
import type { ErrorCode } from './error.js';

/** Platform codes (libuv, c-ares, OpenSSL, fetch, ws, zlib, brotli) for a failed connection or a broken response. */
const byPlatformCode: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  // No process listens on the port.
  ['ECONNREFUSED', 'refused'],
  // No route, or a broken route.
  ...codes('unavailable', 'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL EACCES EPERM EMFILE ENFILE'),
  ...codes('unavailable', 'ECONNRESET ECONNABORTED EPIPE ENOTCONN ESHUTDOWN UND_ERR_SOCKET UND_ERR_CLOSED'),
  ...codes('unavailable', 'UND_ERR_DESTROYED UND_ERR_RES_CONTENT_LENGTH_MISMATCH ERR_STREAM_PREMATURE_CLOSE'),
  ...codes(
    'unavailable',
    'ERR_SOCKET_CLOSED ERR_HTTP2_GOAWAY_SESSION ERR_HTTP2_INVALID_SESSION ERR_HTTP2_SESSION_ERROR',
  ),
  // The name has no address, or the resolver fails.
  ...codes(
    'unavailable',
    'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL EREFUSED ENOTIMP EFORMERR',
  ),
  ...codes('timeout', 'ETIMEDOUT ETIMEOUT ESOCKETTIMEDOUT ERR_SOCKET_CONNECTION_TIMEOUT UND_ERR_CONNECT_TIMEOUT'),
  ...codes('timeout', 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'),
  // Headers exceed the 16 KiB that the platform accepts, or a frame exceeds the limit set by the caller.
  ...codes('limit', 'UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE'),
  ...codes('limit', 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH WS_ERR_TOO_MANY_BUFFERED_PARTS'),
  // The connection ended within the head of a response.
  ['HPE_INVALID_EOF_STATE', 'unavailable'],
  // OpenSSL reports this code for a plaintext server on a TLS port.
  ['EPROTO', 'tls'],
  // The peer does not speak HTTP/2.
  ['ERR_HTTP2_ERROR', 'http'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'decode'],
]);

/** Code families with too many members to list. */
const byFamily: readonly (readonly [RegExp, ErrorCode])[] = [
  // HTTP/1 parser: the peer does not speak HTTP.
  [/^HPE_/, 'http'],
  [/^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_)/, 'tls'],
  // Results of X.509 verification.
  [/CERT|^CRL_|_CRL|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/, 'tls'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'tls'],
  [/^WS_ERR_/, 'decode'],
  // A compressed body that cannot be decompressed.
  [/^(?:Z_|ERR_(?:BROTLI_DECODER)?_ERROR_)/, 'decode'],
];

function codes(code: ErrorCode, names: string): [string, ErrorCode][] {
  return names.split(' ').map((name) => [name, code]);
}

/** Error code for a platform code; `undefined` if the code is unknown. */
export function codeOfPlatform(platformCode: string): ErrorCode | undefined {
  return byPlatformCode.get(platformCode) ?? byFamily.find(([pattern]) => pattern.test(platformCode))?.[1];
}

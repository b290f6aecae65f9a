import type { ErrorCode } from './error.js';

/** Codes of the platform for a connection that did not come about or broke, with what each means to a caller. */
const codes: ReadonlyMap<string, ErrorCode> = new Map([
  // Nobody listens there.
  ['ECONNREFUSED', 'refused'],
  // The way there is not known or broken.
  ['ENOTFOUND', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'],
  ['EHOSTUNREACH', 'unavailable'],
  ['ENETUNREACH', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['ECONNABORTED', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['UND_ERR_SOCKET', 'unavailable'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  // Headers over the 16 KiB that the platform accepts.
  ['UND_ERR_HEADERS_OVERFLOW', 'limit'],
  // OpenSSL gives this one for a plaintext server on a TLS port.
  ['EPROTO', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
]);

/**
 * Code and text of a failure of the network below HTTP: the outermost error whose platform code is known decides. Of a name
 * with several addresses the text has what each of them said.
 */
export function networkFailure(error: unknown): { code: ErrorCode; text: string } {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    // Its own code is that of the first address, its own message is empty.
    if (inner instanceof AggregateError && inner.errors.length > 0) return ofAddresses(inner.errors as unknown[]);
    const platform = (inner as { code?: unknown }).code;
    if (typeof platform !== 'string') continue;
    const code = codes.get(platform) ?? familyOf(platform);
    if (code !== undefined) return { code, text: inner.message === '' ? platform : inner.message };
  }
  return { code: 'unavailable', text: error instanceof Error ? error.message : String(error) };
}

/** One that may be mended by waiting decides: only where nobody listens on any address the name is refused. */
function ofAddresses(failures: readonly unknown[]): { code: ErrorCode; text: string } {
  const each = failures.map(networkFailure);
  const { code } = each.find((failure) => failure.code !== 'refused') ?? { code: 'refused' };
  return { code, text: each.map(({ text }) => text).join('; ') };
}

function familyOf(platform: string): ErrorCode | undefined {
  if (/^(CERT_|ERR_TLS_|ERR_SSL_)/.test(platform)) return 'tls';
  // The parser of HTTP: what answers does not speak it.
  return platform.startsWith('HPE_') ? 'http' : undefined;
}

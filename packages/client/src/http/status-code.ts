import type { ErrorCode } from '../error.js';

/** Code of an HTTP status that came without an answer of the node: a proxy spoke in its place. */
export function codeOfHttpStatus(status: number): ErrorCode {
  if (status === 429) return 'rate_limited';
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'http';
}

import { askedHeaders, asksFor, isPreflight, originOf, withHeader } from '../http/cors.js';
import type { Header, HttpAnswer, HttpHandler } from '../http/message.js';

const anyOrigin: Header = ['Access-Control-Allow-Origin', '*'];
const allowedMethods = new Set(['GET', 'HEAD', 'POST']);
const simpleHeaders = new Set(['accept', 'accept-language', 'content-language', 'origin']);
const allowedHeader = 'content-type';

/**
 * The gateway with `enabled-unsafe-cors`: allows every origin, and no header except Content-Type. The height header is
 * not accepted in a request (403 for a preflight that names it) and is not exposed to scripts in a response.
 *
 * @source proto/spec/node.yaml, config.api.enabled-unsafe-cors; the statuses 403 and 405 are assumed
 */
export function withGatewayCors(handler: HttpHandler, nowMs: () => number): HttpHandler {
  const answer = (status: number, reason: string, headers: readonly Header[] = []): HttpAnswer => ({
    status,
    reason,
    headers: [...headers, ['X-Server-Time', String(Math.floor(nowMs() / 1000))]],
    body: '',
  });
  return async (request) => {
    if (originOf(request.headers) === '') return handler(request);
    if (!isPreflight(request)) return withHeader(await handler(request), anyOrigin);
    if (!allowedMethods.has(asksFor(request.headers))) return answer(405, 'Method Not Allowed');
    const named = askedHeaders(request.headers).filter((name) => !simpleHeaders.has(name.toLowerCase()));
    if (named.some((name) => name.toLowerCase() !== allowedHeader)) return answer(403, 'Forbidden');
    const headers: Header[] = named.length === 0 ? [] : [['Access-Control-Allow-Headers', 'Content-Type']];
    return answer(200, 'OK', [...headers, anyOrigin]);
  };
}

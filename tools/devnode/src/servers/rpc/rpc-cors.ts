import { askedHeaders, asksFor, isPreflight, originOf, withHeader } from '../http/cors.js';
import type { Header, HttpHandler } from '../http/message.js';

const allowedMethods = new Set(['HEAD', 'GET', 'POST']);
const allowedHeaders = new Set(['origin', 'accept', 'content-type', 'x-requested-with', 'x-server-time']);
const preflightVary: Header = ['Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'];

/**
 * The consensus RPC with `cors_allowed_origins`. Preflights run no method. A disallowed origin gets a response without
 * the allow headers, never an error status.
 *
 * @source recordings `small.cors.*`
 */
export function withRpcCors(handler: HttpHandler, origins: readonly string[], nowMs: () => number): HttpHandler {
  const allowed = (origin: string): string | undefined => {
    if (origins.includes('*')) return '*';
    return origins.includes(origin) ? origin : undefined;
  };
  return async (request) => {
    const origin = originOf(request.headers);
    const allow = origin === '' ? undefined : allowed(origin);
    if (!isPreflight(request)) {
      const answer = withHeader(await handler(request), ['Vary', 'Origin']);
      return allow === undefined ? answer : withHeader(answer, ['Access-Control-Allow-Origin', allow]);
    }
    const method = asksFor(request.headers);
    const named = askedHeaders(request.headers);
    const granted =
      allow !== undefined &&
      allowedMethods.has(method) &&
      named.every((name) => allowedHeaders.has(name.toLowerCase()));
    const headers: Header[] = [];
    if (granted) {
      if (named.length > 0) headers.push(['Access-Control-Allow-Headers', named.join(', ')]);
      headers.push(['Access-Control-Allow-Methods', method], ['Access-Control-Allow-Origin', allow]);
    }
    headers.push(preflightVary, ['X-Server-Time', String(Math.floor(nowMs() / 1000))]);
    return { status: 204, reason: 'No Content', headers, body: '', framing: 'none' };
  };
}

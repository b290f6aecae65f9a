import { type Header, headerOf, type HttpAnswer, type HttpHandler, type HttpRequest } from '../http/message.js';
import { answerBody, asRpcError, errorText, isCached, resultText } from './dispatch.js';
import type { RpcMethods } from './method.js';
import { uriArgs } from './params.js';
import { RpcError, rpcCode, RpcPanic } from './rpc-error.js';

/** Body limit of the consensus RPC. */
export const maxRpcBodyBytes = 1_000_000;

const cacheHeader: Header = ['Cache-Control', 'public, max-age=86400'];

export interface RpcHttpOptions {
  readonly methods: RpcMethods;
  readonly nowMs: () => number;
}

function endpointPage(methods: RpcMethods, host: string): string {
  const line = (name: string, params: string): string => {
    const address = `//${host}/${name}?${params}`;
    return `<a href="${address}">${address}</a></br>`;
  };
  const lines = [...methods.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, params }) => line(name, params.map((param) => `${param.name}=_`).join('&')));
  return `<html><body><br>Available endpoints:<br><br>Endpoints that require arguments:<br>${lines.join('')}</body></html>`;
}

function formOf(request: HttpRequest, query: string): URLSearchParams {
  const params = new URLSearchParams(query);
  const type = headerOf(request.headers, 'content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type) && /^(?:POST|PUT|PATCH)$/.test(request.method)) {
    // A query parameter takes precedence over a form parameter of the same name, so the form comes last.
    for (const [name, value] of new URLSearchParams(request.body.toString())) params.append(name, value);
  }
  return params;
}

/** HTTP handler of the RPC: one path per method, JSON-RPC on `/`. */
export function rpcHttpHandler({ methods, nowMs }: RpcHttpOptions): HttpHandler {
  const time = (): Header => ['X-Server-Time', String(Math.floor(nowMs() / 1000))];
  const json = (status: number, text: string, cached = false): HttpAnswer => ({
    status,
    reason: reasons[status] ?? '',
    headers: [...(cached ? [cacheHeader] : []), ['Content-Type', 'application/json'], time()],
    body: text,
  });
  const plain = (status: number, text: string, extra: readonly Header[] = []): HttpAnswer => ({
    status,
    reason: reasons[status] ?? '',
    headers: [['Content-Type', 'text/plain; charset=utf-8'], ...extra, ['X-Content-Type-Options', 'nosniff'], time()],
    body: text,
  });
  const uri = async (name: string, query: URLSearchParams): Promise<HttpAnswer> => {
    const method = methods.get(name);
    if (method === undefined) return plain(404, '404 page not found\n');
    if (method.websocketOnly === true) return json(404, errorText('-1', new RpcError(rpcCode.methodNotFound)));
    try {
      let args: ReturnType<typeof uriArgs>;
      try {
        args = uriArgs(method.params, query);
      } catch (error) {
        throw new RpcError(rpcCode.invalidParams, (error as Error).message);
      }
      return json(200, resultText('-1', await method.run(args)), isCached(method, args));
    } catch (error) {
      if (error instanceof RpcPanic) return json(500, errorText('-1', new RpcError(rpcCode.internal, error.message)));
      return json(500, errorText('-1', asRpcError(error)));
    }
  };
  return async (request) => {
    const [path, query] = splitTarget(request.target);
    if (path.includes('//')) {
      const clean = path.replace(/\/+/g, '/');
      const body = `<a href="${clean}">Temporary Redirect</a>.\n\n`;
      const headers: Header[] = [['Content-Type', 'text/html; charset=utf-8'], ['Location', clean], time()];
      return { status: 307, reason: 'Temporary Redirect', headers, body };
    }
    if (path === '/websocket') return plain(400, 'Bad Request\n', [['Sec-Websocket-Version', '13']]);
    if (path !== '/') return uri(path.slice(1), formOf(request, query));
    if (request.tooLarge) {
      return json(
        400,
        errorText(
          undefined,
          new RpcError(rpcCode.invalidRequest, 'error reading request body: http: request body too large'),
        ),
      );
    }
    if (request.body.length === 0) {
      const page = endpointPage(methods, headerOf(request.headers, 'host') ?? '');
      return { status: 200, reason: 'OK', headers: [['Content-Type', 'text/html'], time()], body: page };
    }
    const answer = await answerBody(methods, request.body.toString());
    if (answer.text === undefined) return { status: 200, reason: 'OK', headers: [time()], body: '' };
    return json(answer.status, answer.text, answer.cached);
  };
}

function splitTarget(target: string): [string, string] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  404: 'Not Found',
  500: 'Internal Server Error',
};

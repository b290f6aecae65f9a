import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { fromJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { GrpcAnswer, GrpcCall } from '../grpc/message.js';
import {
  type Header,
  headerOf,
  headersOf,
  type HttpAnswer,
  type HttpHandler,
  type HttpRequest,
} from '../http/message.js';
import { firstJsonValue } from '../rpc/go-json.js';
import { requestForm } from './request.js';
import { cleanPath, decodePath, parseQuery } from './target.js';
import { matchRoute, mountedRoutes } from './route-table.js';

export interface GatewayOptions {
  readonly methods: readonly AnyMethod[];
  readonly naming: Naming;
  /** The gRPC side, which handles every routed request. */
  readonly call: (call: GrpcCall) => GrpcAnswer | Promise<GrpcAnswer>;
  readonly nowMs: () => number;
}

const httpStatus: Readonly<Record<number, readonly [number, string]>> = {
  0: [200, 'OK'],
  1: [408, 'Request Timeout'],
  2: [500, 'Internal Server Error'],
  3: [400, 'Bad Request'],
  4: [504, 'Gateway Timeout'],
  5: [404, 'Not Found'],
  6: [409, 'Conflict'],
  7: [403, 'Forbidden'],
  8: [429, 'Too Many Requests'],
  9: [400, 'Bad Request'],
  10: [409, 'Conflict'],
  11: [400, 'Bad Request'],
  12: [501, 'Not Implemented'],
  13: [500, 'Internal Server Error'],
  14: [503, 'Service Unavailable'],
  15: [500, 'Internal Server Error'],
  16: [401, 'Unauthorized'],
};

const grpcTrailer = 'Grpc-Trailer-Content-Type';

function canonical(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_all, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`);
}

function errorBody(code: number, message: string): string {
  return `{"code":${code},"message":${JSON.stringify(message)},"details":[]}`;
}

/** The REST gateway: routes, parameters and errors like the node's, with data from the gRPC side. */
export function gatewayHandler({ methods, naming, call, nowMs }: GatewayOptions): HttpHandler {
  const routes = mountedRoutes(methods, naming);
  const heightHeader = naming.headerToWire('x-stack-block-height').toLowerCase();
  const metadataType: Header = [
    'Grpc-Metadata-Content-Type',
    `application/grpc+${naming.typeToWire('stack')}-sdk-grpc-codec`,
  ];
  const time = (): Header => ['X-Server-Time', String(Math.floor(nowMs() / 1000))];
  const json: Header = ['Content-Type', 'application/json'];
  const plainError = (code: number, message: string): HttpAnswer => {
    const [status, reason] = httpStatus[code] ?? [500, 'Internal Server Error'];
    return { status, reason, headers: [json, time()], body: errorBody(code, message) };
  };

  const fromGrpc = (answer: GrpcAnswer, method: AnyMethod | undefined): HttpAnswer => {
    const [status, reason] = httpStatus[answer.code] ?? [500, 'Internal Server Error'];
    if (answer.trailersOnly && answer.code === 4) return plainError(answer.code, answer.message);
    if (answer.trailersOnly) {
      const headers: Header[] = [json, ['Trailer', grpcTrailer], time()];
      const trailers: Header[] = [[grpcTrailer, metadataType[1]]];
      return { status, reason, headers, body: errorBody(answer.code, answer.message), framing: 'chunked', trailers };
    }
    const metadata = answer.metadata.map(([name, value]): Header => [`Grpc-Metadata-${canonical(name)}`, value]);
    const headers: Header[] = [json, metadataType, ...metadata, time()];
    if (answer.code !== 0 || method === undefined) {
      return { status, reason, headers, body: errorBody(answer.code, answer.message) };
    }
    const form = decodeBinary(method.response, answer.body ?? new Uint8Array(), naming);
    return { status, reason, headers, body: toGatewayJson(method.response, form, naming) };
  };

  const local = (answer: HttpAnswer): HttpAnswer => ({
    ...answer,
    headers: answer.headers.filter(([name]) => !name.startsWith('Grpc-')),
  });

  const metadataOf = (request: HttpRequest): Header[] => {
    const heights = [
      ...headersOf(request.headers, heightHeader),
      ...headersOf(request.headers, `grpc-metadata-${heightHeader}`),
    ];
    return heights.map((value) => [heightHeader, value]);
  };

  const serve = async (
    method: AnyMethod,
    params: ReadonlyMap<string, string>,
    query: string,
    request: HttpRequest,
  ): Promise<HttpAnswer> => {
    let message: Uint8Array;
    const timeout = headerOf(request.headers, 'grpc-timeout');
    try {
      if (timeout !== undefined && !/^\d{1,8}[HMSmun]$/.test(timeout)) {
        throw new Error(`invalid grpc-timeout: ${timeout}`);
      }
      const isPost = request.method === 'POST' && method.rest?.verb === 'POST';
      const form = isPost
        ? bodyForm(method, request, naming)
        : requestForm(method.request, params, valuesOf(request, query));
      message = encodeBinary(method.request, form, naming);
    } catch (error) {
      return plainError(3, (error as Error).message);
    }
    const path = `/${naming.typeToWire(method.service)}/${method.name}`;
    const metadata = metadataOf(request);
    if (timeout !== undefined) metadata.push(['grpc-timeout', timeout]);
    const answer = await call({ path, metadata, message });
    // The gateway process itself answers a broadcast, without a height.
    return method.name === 'BroadcastTx' ? local(fromGrpc(answer, method)) : fromGrpc(answer, method);
  };

  return (request) => {
    const mark = request.target.indexOf('?');
    const path = mark === -1 ? request.target : request.target.slice(0, mark);
    const query = mark === -1 ? '' : request.target.slice(mark + 1);
    if (/%(?![0-9a-fA-F]{2})/.test(path)) {
      const headers: Header[] = [['Content-Type', 'text/plain; charset=utf-8']];
      return {
        status: 400,
        reason: 'Bad Request',
        headers,
        body: '400 Bad Request',
        framing: 'none',
        bare: true,
        close: true,
      };
    }
    const decoded = decodePath(path);
    const clean = cleanPath(decoded);
    if (clean !== decoded) {
      const location = `${encodeURI(clean)}${mark === -1 ? '' : `?${query}`}`;
      return { status: 301, reason: 'Moved Permanently', headers: [['Location', location], time()], body: '' };
    }
    const verb = request.method === 'POST' && isForm(request) ? 'GET' : request.method;
    const segments = decoded.split('/').slice(1);
    const match = matchRoute(routes, request.method, segments) ?? matchRoute(routes, verb, segments);
    if (match === undefined) return plainError(12, 'Not Implemented');
    const { target } = match.route;
    if ('goneService' in target) {
      return fromGrpc(
        {
          code: 12,
          message: `unknown service ${target.goneService}`,
          metadata: [],
          body: undefined,
          trailersOnly: true,
        },
        undefined,
      );
    }
    return serve(target, match.params, query, request);
  };
}

function isForm(request: HttpRequest): boolean {
  return request.method === 'POST' && headerOf(request.headers, 'content-type') === 'application/x-www-form-urlencoded';
}

/** Message of a POST body: the first JSON value. An empty body or null is an empty message. */
function bodyForm(method: AnyMethod, request: HttpRequest, naming: Naming): unknown {
  if (request.tooLarge) throw new Error('http: request body too large');
  const text = request.body.toString();
  const value = text.trim() === '' ? null : firstJsonValue(text).value;
  return fromJson(method.request, value ?? {}, naming);
}

/** Query parameters. Form parameters come first and take precedence. */
function valuesOf(request: HttpRequest, query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (isForm(request)) parseQuery(request.body.toString(), values);
  parseQuery(query, values);
  return values;
}

import { HubError } from '../error.js';
import { baseUrl } from '../http/base-url.js';
import { exchange } from '../http/exchange.js';
import { readAnswer, writeRequest } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { limitsOf, type TransportOptions } from '../options.js';
import type { Place } from '../place.js';
import type { CallOptions } from '../transport.js';
import type { RpcClient, RpcResult } from './client.js';
import type { RpcMethod, RpcParams } from './params.js';
import { readRpcResult } from './read-result.js';
import { refusedMethods } from './refused-methods.js';
import { postRpc, writeParams } from './request.js';
import { readRpcAnswer } from './response.js';

/**
 * The consensus RPC over JSON-RPC POST, with the platform's fetch. Runs in Node and in browsers.
 *
 * @throws HubError `invalid_argument` when the address is no http or https URL
 */
export function createRpcClient(options: TransportOptions): RpcClient {
  const base = baseUrl(options.address, 'rpc');
  return {
    kind: 'rpc',
    address: options.address,
    call: async <M extends RpcMethod>(
      method: M,
      params: RpcParams<M> = {} as RpcParams<M>,
      call: Omit<CallOptions, 'height'> = {},
    ): Promise<RpcResult<M>> => {
      requireHttp(method, options.address);
      const { height } = params as { height?: bigint };
      const place: Place = { transport: 'rpc', address: options.address, method, height };
      const request = writeRequest(() => postRpc(base, method, writeParams(method, params), options.headers), place);
      // Names first: a naming that cannot be found is a failure of the endpoint, not of the answer.
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const answer = await exchange(request, limits, place);
      const result = readRpcAnswer(answer, request.id, place);
      return readAnswer(() => readRpcResult(method, result, naming), place, {
        httpStatus: answer.status,
      }) as RpcResult<M>;
    },
    // Idle connections belong to the platform's fetch.
    close: () => Promise.resolve(),
  };
}

/** Refuses methods that only the websocket or unsafe mode has: the types say so to TypeScript callers. */
function requireHttp(method: string, address: string): void {
  if (!Object.hasOwn(refusedMethods, method)) return;
  const reason = refusedMethods[method as keyof typeof refusedMethods];
  throw new HubError({
    code: 'not_served',
    message: `${method} over rpc: it ${reason}`,
    transport: 'rpc',
    address,
    method,
  });
}

import { HubError } from '../error.js';
import { baseUrl } from '../http/base-url.js';
import { exchange } from '../http/exchange.js';
import { requireHeight } from '../height-header.js';
import { readAnswer, writeRequest } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { headersOf, limitsOf } from '../options.js';
import type { Place } from '../place.js';
import type { CallOptions } from '../transport.js';
import { type RpcCall, readBatch, type RpcOutcome } from './batch.js';
import type { RpcClient, RpcClientOptions } from './client.js';
import type { RpcResult } from './results.js';
import type { RpcMethod, RpcParams } from './params.js';
import { readRpcResult } from './read-result.js';
import { refusedMethods } from './refused-methods.js';
import { nameParams, postBody, postRpc, rpcCall, writeParams } from './request.js';
import { readRpcAnswer } from './response.js';
import { sendingMethods } from './sending-methods.js';
import { uriRpc } from './uri-request.js';
import { shownAddress } from '../shown-address.js';

/**
 * The consensus RPC over JSON-RPC POST or URIs, over node:http in Node and fetch in browsers.
 *
 * @throws HubError `invalid_argument` when the address is not an http or https URL
 */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  const base = baseUrl(options.address, 'rpc');
  const write = options.form === 'uri' ? uriRpc : postRpc;
  const placeAt = (method: string, params: object = {}): Place => {
    const { height } = params as { height?: bigint };
    return { transport: 'rpc', address: options.address, method, height };
  };
  return {
    kind: 'rpc',
    address: shownAddress(options.address),
    call: async <M extends RpcMethod>(
      method: M,
      params: RpcParams<M> = {} as RpcParams<M>,
      call: Omit<CallOptions, 'height'> = {},
    ): Promise<RpcResult<M>> => {
      requireHttp(method, options.address);
      const place = placeAt(method, params);
      requireHeight(place.height, place);
      const written = writeRequest(() => writeParams(method, params), place);
      // Names first: a naming that cannot be detected is a failure of the endpoint, not of the response.
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const request = writeRequest(
        () => write(base, method, nameParams(method, written, naming), headersOf(options, call)),
        place,
      );
      const answer = await exchange({ ...request, repeatable: !sendingMethods.has(method) }, limits, place);
      const result = readRpcAnswer(answer, request.id, place);
      return readAnswer(() => readRpcResult(method, result, naming), place, {
        httpStatus: answer.status,
      }) as RpcResult<M>;
    },
    batch: async <const C extends readonly RpcCall[]>(calls: C, call: Omit<CallOptions, 'height'> = {}) => {
      type Outcomes = { readonly [I in keyof C]: RpcOutcome<C[I]['method']> };
      const place = placeAt('batch');
      const asked = calls.map(({ method, params = {} }) => {
        requireHttp(method, options.address);
        const own = placeAt(method, params);
        requireHeight(own.height, own);
        return { method, params: writeRequest(() => writeParams(method, params), own), place: own };
      });
      // An empty batch gets an empty body.
      if (asked.length === 0) return [] as unknown as Outcomes;
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const written = asked.map(({ method, params, place: own }) => ({
        ...writeRequest(() => rpcCall(method, nameParams(method, params, naming)), own),
        place: own,
      }));
      const request = postBody(base, `[${written.map(({ text }) => text).join(',')}]`, headersOf(options, call));
      const answers = readBatch(await exchange(request, limits, place), written, place);
      return calls.map(({ method }, index): RpcOutcome<RpcMethod> => {
        const answer = answers[index];
        if (answer instanceof HubError) return { ok: false, error: answer };
        try {
          const own = placeAt(method, calls[index]?.params);
          return {
            ok: true,
            result: readAnswer(() => readRpcResult(method, answer, naming), own) as RpcResult<RpcMethod>,
          };
        } catch (error) {
          if (error instanceof HubError) return { ok: false, error };
          throw error;
        }
      }) as unknown as Outcomes;
    },
    // Idle sockets are shared with other transports to the address and close automatically.
    close: () => Promise.resolve(),
  };
}

/**
 * Rejects methods that only the websocket or unsafe mode has; for TypeScript callers, the types already exclude them.
 */
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

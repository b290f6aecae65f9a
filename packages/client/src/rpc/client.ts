import type { TransportOptions } from '../options.js';
import type { CallOptions } from '../transport.js';
import type { RpcCall, RpcOutcome } from './batch.js';
import type { RpcMethod, RpcParams } from './params.js';
import type { RpcResult } from './results.js';

export interface RpcClientOptions extends TransportOptions {
  /**
   * `post` (default) sends JSON-RPC. `uri` requests the method's own path with GET, for proxies that allow nothing
   * else. Ordinary refusals are HTTP 500 there, which some proxies replace by their own page.
   */
  readonly form?: 'post' | 'uri' | undefined;
}

/** The consensus RPC of a node. */
export interface RpcClient {
  readonly kind: 'rpc';
  readonly address: string;
  /**
   * Calls a method. The options have no height, because it is a parameter of the method.
   *
   * @throws HubError with each code of its closed set
   */
  call<M extends RpcMethod>(
    method: M,
    params?: RpcParams<M>,
    options?: Omit<CallOptions, 'height'>,
  ): Promise<RpcResult<M>>;
  /**
   * Calls several methods with one request, in the given order; `timeoutMs` applies to the whole batch. Always sent as
   * JSON-RPC. Use at most ten calls: later engines refuse more.
   *
   * @throws HubError when the batch as a whole failed
   */
  batch<const C extends readonly RpcCall[]>(
    calls: C,
    options?: Omit<CallOptions, 'height'>,
  ): Promise<{ readonly [I in keyof C]: RpcOutcome<C[I]['method']> }>;
  close(): Promise<void>;
}

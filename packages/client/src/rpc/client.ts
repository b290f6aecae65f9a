import type { CallOptions } from '../transport.js';
import type { RpcMethod, RpcParams } from './params.js';
import type { RpcResults } from './results.js';

export type RpcResult<M extends RpcMethod> = M extends keyof RpcResults ? RpcResults[M] : unknown;

/** The consensus RPC of a node. */
export interface RpcClient {
  readonly kind: 'rpc';
  readonly address: string;
  /**
   * Calls a method. A height is one of its parameters, so the options have none.
   *
   * @throws HubError with each code of its closed set
   */
  call<M extends RpcMethod>(
    method: M,
    params?: RpcParams<M>,
    options?: Omit<CallOptions, 'height'>,
  ): Promise<RpcResult<M>>;
  close(): Promise<void>;
}

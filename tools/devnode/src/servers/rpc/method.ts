import type { Args, ParamSpec } from './params.js';

/** Whether a proxy may cache a response: always, only if a height was given, or never. */
export type Cache = 'always' | 'height' | 'never';

export interface RpcMethod {
  readonly name: string;
  readonly params: readonly ParamSpec[];
  readonly cache: Cache;
  /** Recognised over HTTP by name only: the call itself requires a websocket. */
  readonly websocketOnly?: boolean;
  /**
   * Returns the result, or a promise of it for a call that waits.
   *
   * @throws RpcError when the handler fails.
   */
  run(args: Args): unknown;
}

/** All methods of a node by name. */
export type RpcMethods = ReadonlyMap<string, RpcMethod>;

export function methodTable(methods: readonly RpcMethod[]): RpcMethods {
  return new Map(methods.map((method) => [method.name, method]));
}

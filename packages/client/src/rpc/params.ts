import type { RpcHttpMethod, RpcParams as RpcParamsByMethod } from '@hubwatch/types/gen/rpc/methods';

/** Methods that every node answers over HTTP. */
export type RpcMethod = RpcHttpMethod;

/** Parameters of a method by name; what is left out is absent on the wire. */
export type RpcParams<M extends RpcMethod> = RpcParamsByMethod[M];

export type { RpcClient, RpcResult } from './client.js';
export { type RpcParamKind, type RpcMethod, type RpcParams, rpcParams } from './params.js';
export { readRpcResult } from './read-result.js';
export type * from './results.js';
export { createRpcClient } from './transport.js';

export type { RpcCall, RpcOutcome } from './batch.js';
export type { RpcClient, RpcClientOptions } from './client.js';
export type { RpcMethod, RpcParams } from './params.js';
export { readRpcResult } from './read-result.js';
export { readRpcAnswer } from './response.js';
export type * from './results.js';
export { createRpcClient } from './transport.js';

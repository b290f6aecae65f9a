export { type Connection, type ConnectOptions, connect } from './connect.js';
export { type ErrorCode, HubError, type HubErrorFacts, type RawStatus } from './error.js';
export { explainHeight, findLowestState, type Head, readHead } from './heights.js';
export { detectNaming, type NamingEndpoints } from './naming/detect.js';
export * from './pages/index.js';
export { publicNaming } from './naming/public.js';
export type { TransportOptions } from './options.js';
export type { RpcClient, RpcResult } from './rpc/client.js';
export type { Answer, CallOptions, Transport } from './transport.js';

export * from './address/index.js';
export { AnswerBudget, type HeldBytes, sharedBudget } from './answer-budget.js';
export * from './broadcast/index.js';
export { type Cancel, type Clock, pause, systemClock, timerMs } from './clock.js';
export { type Connection, type ConnectOptions, connect } from './connect.js';
export type { ConnectionEvent } from './connection-event.js';
export {
  createClient,
  type MethodCall,
  type ServiceClient,
  type UnaryCall,
  type UnservedCall,
  type WholeList,
} from './create-client.js';
export { type ErrorCode, HubError, type HubErrorFacts, type RawStatus } from './error.js';
export { explainHeight, findLowestState, type Head, readHead } from './heights.js';
export { holdConnection } from './http/hold-connection.js';
export { readRetryAfter } from './http/retry-after.js';
export { detectNaming, type NamingEndpoints } from './naming/detect.js';
export * from './pages/index.js';
export { publicNaming } from './naming/public.js';
export { networkFailure, platformFailure } from './network-error.js';
export type { TransportOptions } from './options.js';
export type { RpcCall, RpcOutcome } from './rpc/batch.js';
export type { RpcClient, RpcClientOptions } from './rpc/client.js';
export type { RpcResult } from './rpc/results.js';
export { shownAddress } from './shown-address.js';
export { type JoinedSignal, joinSignals, startTimeout, type Timeout } from './signals.js';
export type { Answer, CallOptions, Transport } from './transport.js';
export * from './tx/index.js';

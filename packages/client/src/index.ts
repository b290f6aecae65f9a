export { type Address, readAddress, writeAddress } from './address/bech32.js';
export { type AddressKind, convertAddress, withPrefix } from './address/convert.js';
export { AnswerBudget, type HeldBytes, sharedBudget } from './answer-budget.js';
export {
  type BroadcastOptions,
  type BroadcastOutcome,
  broadcastAndConfirm,
  type EventSource,
} from './broadcast/broadcast.js';
export { findTx, type LookupRoute, type TxInBlock } from './broadcast/confirm.js';
export {
  type BroadcastMode,
  type BroadcastRoute,
  type Rejection,
  type Submission,
  submit,
} from './broadcast/submit.js';
export { type BackoffOptions, backoffMs } from './backoff.js';
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
export { type ErrorCode, HubError, type HubErrorFacts, type RawStatus, errorText } from './error.js';
export { firstHeight } from './height-refusal.js';
export { explainHeight, findLowestState, type Head, readHead } from './heights.js';
export { holdConnection } from './http/hold-connection.js';
export { readRetryAfter } from './http/retry-after.js';
export { detectNaming, type NamingEndpoints } from './naming/detect.js';
export { type Collected, collect } from './pages/collect.js';
export type { Extent } from './pages/extent.js';
export { type OnePage, onePage } from './pages/one-page.js';
export { type ListMethod, type ListRequestOf, type Page, pages, type PagesOptions, type Sweep } from './pages/sweep.js';
export { publicNaming } from './naming/public.js';
export { networkFailure, platformFailure } from './network-error.js';
export type { TransportOptions } from './options.js';
export type { RpcCall, RpcOutcome } from './rpc/batch.js';
export type { RpcClient, RpcClientOptions } from './rpc/client.js';
export type { RpcResult } from './rpc/results.js';
export { shownAddress } from './shown-address.js';
export { type JoinedSignal, joinSignals, startTimeout, type Timeout } from './signals.js';
export type { Answer, CallOptions, Transport } from './transport.js';
export { packMsg, type PackedMsg } from '@hubwatch/types/runtime/msg';
export { estimateGas, readAccount } from './tx/account.js';
export {
  type SignerParts,
  txHash,
  type TxFee,
  type TxParts,
  writeAuthInfo,
  writeTx,
  writeTxBody,
} from './tx/build-tx.js';
export { decodeTx } from './tx/read-tx.js';
export { type DirectSignDoc, type OfflineDirectSigner, type SignedTx, type SignOptions, signTx } from './tx/sign-tx.js';
export { type SearchOptions, searchTxs } from './tx/search-txs.js';

import type { rpcParamKinds } from '@hubwatch/types/gen/rpc/methods';
import type { RpcMethod } from './params.js';

const unsafe = 'changes the node and is answered in unsafe mode only; this client never calls it';
const websocketOnly = 'is answered on the websocket only; use openWebSocket of @hubwatch/client/websocket';

/** Methods that this client does not call over HTTP, with the reason. */
export const refusedMethods: Readonly<Record<Exclude<keyof typeof rpcParamKinds, RpcMethod>, string>> = {
  subscribe: websocketOnly,
  unsubscribe: websocketOnly,
  unsubscribe_all: websocketOnly,
  dial_seeds: unsafe,
  dial_peers: unsafe,
  unsafe_flush_mempool: unsafe,
};

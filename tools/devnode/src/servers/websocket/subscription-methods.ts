import type { RpcMethod } from '../rpc/method.js';

const query = [{ name: 'query', kind: 'string' }] as const;
const run = (): never => {
  throw new Error('handled by the websocket');
};

/** Methods that are served only over a websocket. Over HTTP their names are known, but calls are rejected. */
export const subscriptionMethods: readonly RpcMethod[] = [
  { name: 'subscribe', params: query, cache: 'never', websocketOnly: true, run },
  { name: 'unsubscribe', params: query, cache: 'never', websocketOnly: true, run },
  { name: 'unsubscribe_all', params: [], cache: 'never', websocketOnly: true, run },
];

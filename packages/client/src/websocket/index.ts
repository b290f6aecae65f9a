export { openWebSocket, type WebSocketClient, type WebSocketOptions } from './connection.js';
export { readChainEvent } from './read-event.js';
export type { ChainEvent, NewBlockEvent, NewBlockHeaderEvent, Subscription, TxEvent } from './subscription.js';

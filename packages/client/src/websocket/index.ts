export { openWebSocket, type WebSocketClient, type WebSocketOptions } from './connection.js';
export type { ChainEvent, NewBlockEvent, NewBlockHeaderEvent, Subscription, TxEvent } from './subscription.js';

export { openWebSocket, type WebSocketClient, type WebSocketOptions } from './connection.js';
export {
  type Comparison,
  type Condition,
  type EventKind,
  EventQuery,
  eventQuery,
  parseEventQuery,
} from './event-query.js';
export { readChainEvent } from './read-event.js';
export type { ChainEvent, NewBlockEvent, NewBlockHeaderEvent, Subscription, TxEvent } from './subscription.js';

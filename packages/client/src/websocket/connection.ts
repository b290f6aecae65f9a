import type { TransportOptions } from '../options.js';
import type { ChainEvent, Subscription } from './subscription.js';

export interface WebSocketOptions extends TransportOptions {
  /** Milliseconds without a ping or a frame of the node after which the connection counts as dead. Default 40 000. */
  readonly silenceMs?: number | undefined;
}

/** One websocket connection to the consensus RPC. It is not reopened: a lost connection fails its subscriptions. */
export interface WebSocketClient {
  readonly address: string;
  /**
   * Subscribes to events of one kind and waits for the acknowledgement.
   *
   * @throws HubError `limit` when five subscriptions are held already, `unavailable` when the connection is lost.
   */
  subscribe<K extends ChainEvent['kind']>(kind: K): Promise<Subscription<Extract<ChainEvent, { kind: K }>>>;
  /** Settles when the connection has ended: `undefined` after `close`, the reason otherwise. */
  readonly closed: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** Opens a websocket; `address` is the base URL (`ws://` or `http://`) of the consensus RPC, without `/websocket`. */
export declare function openWebSocket(options: WebSocketOptions): Promise<WebSocketClient>;

import type { CallLimits } from '../options.js';
import type { Place } from '../place.js';
import type { HubError } from '../error.js';

/** A websocket of the platform: `ws` in Node, the browser's own in a page. */
export interface Socket {
  readonly isOpen: boolean;
  send(text: string): void;
  /** Starts the closing handshake. */
  close(): void;
  /** Closes the connection without a handshake. */
  terminate(): void;
}

/** Receives notifications from a socket. */
export interface SocketListener {
  message(text: string): void;
  /** A ping or pong of the peer, if the platform exposes them. */
  alive(): void;
  /** Called once, with the failure if the platform reports one, else with the code of the closing frame. */
  closedBy(failure: HubError | undefined, closeCode: number): void;
}

export interface SocketOptions {
  readonly url: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly limits: CallLimits;
  readonly place: Place;
}

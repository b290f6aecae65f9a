import type { CallLimits } from '../options.js';
import type { Place } from '../place.js';
import type { HubError } from '../error.js';

/** A websocket of the platform: `ws` in Node, the browser's own in a page. */
export interface Socket {
  readonly isOpen: boolean;
  send(text: string): void;
  /** Begins the closing handshake. */
  close(): void;
  /** Ends the connection without it. */
  terminate(): void;
}

/** What a socket tells its owner. */
export interface SocketListener {
  message(text: string): void;
  /** A ping or pong of the peer, where the platform shows them. */
  alive(): void;
  /** Told once; the failure where the platform knows one, else the code of the closing frame. */
  closedBy(failure: HubError | undefined, closeCode: number): void;
}

export interface SocketOptions {
  readonly url: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly limits: CallLimits;
  readonly place: Place;
}

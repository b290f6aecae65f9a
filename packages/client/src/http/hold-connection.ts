import { holdSocket } from './lazy-send.js';

/**
 * Waits until one of the two connections to an origin is free, for a caller that opens its own socket. Together with
 * requests of transports, the origin then has at most two sockets.
 *
 * @param origin scheme, host and port: `http://127.0.0.1:26657`
 * @returns function that releases the connection; call it when the socket is closed
 * @throws the reason of the signal when it aborts first
 */
export function holdConnection(origin: string, signal: AbortSignal): Promise<() => void> {
  return holdSocket(origin, signal);
}

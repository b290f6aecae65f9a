/**
 * Waits until one of the two connections to an origin is free, for a caller that opens a socket itself: together with requests
 * of transports the origin then sees two sockets at most.
 *
 * @param origin scheme, host and port: `http://127.0.0.1:26657`
 * @returns hands the connection on; to be called when the socket is closed
 * @throws the reason of the signal when it ends first
 */
export async function holdConnection(origin: string, signal: AbortSignal): Promise<() => void> {
  // Loaded at its use: the import of this entry is measured.
  const { holdSocket } = await import('./node-send.js');
  return holdSocket(origin, signal);
}

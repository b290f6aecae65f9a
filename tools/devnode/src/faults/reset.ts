import type { Socket } from 'node:net';

/**
 * Resets a connection. `resetAndDestroy` would end it in order first, and a client could take that for the end of an
 * answer; the property is what it sets and what `destroy` looks at.
 */
export function reset(socket: Socket): void {
  (socket as Socket & { resetAndClosing: boolean }).resetAndClosing = true;
  socket.destroy();
}

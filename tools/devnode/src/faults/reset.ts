import type { Socket } from 'node:net';

/**
 * Resets a connection. `resetAndDestroy` would end it in order first, and a client could take that for the end of an
 * answer; the property is what it sets and what `destroy` looks at.
 */
export function reset(socket: Socket): void {
  // One that is being ended cannot be reset any more: Node gives the handle up without closing it, and it keeps the program.
  const ending = socket.writableEnded && !socket.writableFinished;
  if (!ending) (socket as Socket & { resetAndClosing: boolean }).resetAndClosing = true;
  socket.destroy();
}

import type { Socket } from 'node:net';

/**
 * Resets a connection. `resetAndDestroy` would first end it normally, which a client could mistake for the end of a
 * response. This function sets the property that `resetAndDestroy` sets and that `destroy` checks.
 */
export function reset(socket: Socket): void {
  // A connection that is already ending cannot be reset: Node drops the handle without closing it, which keeps the
  // process alive.
  const ending = socket.writableEnded && !socket.writableFinished;
  if (!ending) (socket as Socket & { resetAndClosing: boolean }).resetAndClosing = true;
  socket.destroy();
}

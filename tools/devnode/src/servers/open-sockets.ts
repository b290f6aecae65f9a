import type { Server, Socket } from 'node:net';

/** Tracks a listener's sockets, so that closing it does not wait for clients that stay connected. */
export function trackSockets(server: Pick<Server, 'on' | 'close'>): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}

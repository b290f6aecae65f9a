import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RpcMethods } from '../rpc/method.js';
import { maxRpcBodyBytes } from '../rpc/rpc-http.js';
import { WebsocketClient } from './client.js';
import type { EventBus } from './event-bus.js';

export interface WebsocketOptions {
  readonly server: Server;
  readonly methods: RpcMethods;
  readonly bus: EventBus;
  readonly pingMs?: number;
  readonly silenceMs?: number;
}

/** Serves `/websocket` on the RPC's listener. */
export function serveWebsocket({
  server,
  methods,
  bus,
  pingMs = 27_000,
  silenceMs = 30_000,
}: WebsocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxRpcBodyBytes, autoPong: true });
  const clients = new Set<WebsocketClient>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url?.split('?')[0] !== '/websocket') {
      return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    }
    sockets.handleUpgrade(request, socket, head, (websocket: WebSocket) => {
      const client = new WebsocketClient({ websocket, methods, bus, pingMs, silenceMs });
      clients.add(client);
      websocket.on('close', () => clients.delete(client));
    });
  });
  return () => {
    for (const client of clients) client.terminate();
    sockets.close();
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Treatment of connections to a server. */
export type GateMode = 'open' | 'down' | 'drip';

/** A port in front of a server that can be closed, slowed down and cut. */
export interface Gate {
  readonly port: number;
  mode: GateMode;
  /** Returns the value of `life` when a connection was accepted; `innerPort` is its source port as seen by the server. */
  lifeOf(innerPort: number | undefined): number;
  /** Resolves once every earlier connection is accepted. */
  settled(): Promise<void>;
  /** Breaks all connections immediately. */
  cut(): void;
  close(): Promise<void>;
}

/** Milliseconds between the bytes of a dripping server. */
const dripMs = 2;

/** @param life returns the number of the running process for every connection that it opens */
export async function openGate(target: number, life: () => number = () => 0): Promise<Gate> {
  const sockets = new Set<Socket>();
  const lives = new Map<number, number>();
  /** Source ports of the connections. */
  const accepted = new Set<number>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const connectedIn = life();
    accepted.add(client.remotePort ?? 0);
    keep(client);
    if (gate.mode === 'down') {
      client.destroy();
      return;
    }
    const inner = connect(target, '127.0.0.1');
    keep(inner);
    inner.once('connect', () => lives.set(inner.localPort ?? 0, connectedIn));
    client.pipe(inner);
    inner.on('close', () => client.end());
    client.on('close', () => inner.destroy());
    if (gate.mode === 'drip') void drip(inner, client);
    else inner.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate: Gate = {
    port: (server.address() as AddressInfo).port,
    mode: 'open',
    lifeOf: (innerPort) => lives.get(innerPort ?? 0) ?? 0,
    async settled() {
      const last = connect(gate.port, '127.0.0.1');
      await once(last, 'connect');
      const { localPort = 0 } = last;
      // Connections are accepted in the order in which they were opened.
      while (!accepted.has(localPort)) await once(server, 'connection');
      accepted.clear();
      last.destroy();
    },
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      gate.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return gate;
}

async function drip(from: Socket, to: Socket): Promise<void> {
  try {
    for await (const chunk of from as AsyncIterable<Buffer>)
      for (const byte of chunk) {
        if (to.destroyed) return;
        to.write(Buffer.of(byte));
        await new Promise((resolve) => setTimeout(resolve, dripMs));
      }
  } catch {
    // The server was cut off: its pending writes are discarded.
  }
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to connections to a server. */
export type GateMode = 'open' | 'down' | 'drip';

/** A port in front of a server that can be shut, slowed down and cut. */
export interface Gate {
  readonly port: number;
  mode: GateMode;
  /** Breaks every connection now. */
  cut(): void;
  close(): Promise<void>;
}

/** Milliseconds between the bytes of a server that drips. */
const dripMs = 2;

export async function openGate(target: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (gate.mode === 'down') {
      client.destroy();
      return;
    }
    const inner = connect(target, '127.0.0.1');
    keep(inner);
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
    // The server was cut off: what it had not written stays unwritten.
  }
}

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { systemClock } from '@hubwatch/client';
import { expect, onTestFinished, test } from 'vitest';
import { turn } from '../turn.js';
import { connectTo } from './connection.js';
import { plainRequest, type Reach, tlsLook } from './surface.js';

test.each(['http', 'https'])(
  '%s surface: plain requests and TLS probes share the two sockets of the transports',
  async (scheme) => {
    const sockets = new Set<Socket>();
    const count = { all: 0, most: 0 };
    const serve = async (socket: Socket): Promise<void> => {
      sockets.add(socket);
      count.all += 1;
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
      // The end of an older socket arrives a few turns after that of the next one.
      for (let turns = 0; turns < 10; turns++) await turn();
      count.most = Math.max(count.most, sockets.size);
      for (let turns = 0; turns < 50; turns++) await turn();
      socket.destroy();
    };
    const server = createServer((socket) => void serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const rpc = `${scheme}://127.0.0.1:${port}`;
    const { signal } = new AbortController();
    const reach: Reach = { clock: systemClock, timeoutMs: 60_000, signal };
    const connection = connectTo(
      { name: 'ends', role: 'own', naming: 'public', websocket: false, rpc, require: { tx_depths: [] } } as never,
      60_000,
    );
    const asked: readonly (Promise<unknown> | undefined)[] = [
      connection.rpc?.call('status', {}, { signal }),
      connection.rpc?.call('header', {}, { signal }),
      plainRequest(`${rpc}/`, reach),
      plainRequest(`${rpc}/websocket`, reach),
      ...(scheme === 'https' ? [tlsLook('127.0.0.1', port, reach)] : []),
    ];
    const outcomes = await Promise.allSettled(asked);
    await connection.close();
    expect(outcomes.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
    expect(count.all).toBeGreaterThanOrEqual(asked.length);
    expect(count.most).toBe(2);
  },
);

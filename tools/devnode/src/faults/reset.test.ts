import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { reset } from './reset.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Both ends of a connection; the client reads nothing until instructed. */
async function connection(): Promise<{ client: Socket; served: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [served] = (await once(server, 'connection')) as [Socket];
  client.pause().on('error', () => undefined);
  served.on('error', () => undefined);
  closers.push(() => {
    client.destroy();
    served.destroy();
    server.close();
  });
  return { client, served };
}

describe('reset', () => {
  it('reset: the client gets a connection reset error', async () => {
    const { client, served } = await connection();
    const failed = once(client, 'error');
    reset(served);
    client.resume();
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it('reset: a connection that is already ending still closes', async () => {
    const { client, served } = await connection();
    served.end();
    expect(served.writableFinished).toBe(false);
    const closed = once(served, 'close');
    reset(served);
    await closed;
    client.destroy();
    await expect.poll(() => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')).toEqual([]);
  });
});

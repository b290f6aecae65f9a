import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type SmallBlock, watchBlocks, type WatchOptions } from './watch.js';

/** A node of small blocks from 901801 on. */
interface Node {
  readonly url: string;
  head: number;
  lowest: number;
  /** What the node says to a new websocket; `undefined` leaves it without an answer. */
  welcome: string | undefined;
  readonly calls: string[];
  /** Frames that came in. */
  readonly frames: unknown[];
  /** Tells every websocket of the head. */
  push(): void;
  connections(): number;
}

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
// Node 20 has none of its own.
beforeAll(() => {
  (globalThis as { WebSocket?: unknown }).WebSocket ??= WebSocket;
});

async function startNode(): Promise<Node> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://node');
    const height = searchParams.get('height');
    node.calls.push(pathname);
    const lost = height !== null && Number(height) < node.lowest;
    const data = `height ${height ?? ''} is not available, lowest height is ${node.lowest}`;
    const header = { height, time: '2026-11-28T11:36:03.2Z', chain_id: 'hub-test-1' };
    const event = { type: 'pay', attributes: [{ key: 'a', value: '1', index: true }] };
    const results: Record<string, unknown> = {
      '/status': { sync_info: { latest_block_height: String(node.head) } },
      '/block': { block_id: { hash: 'AB' }, block: { header, data: { txs: ['AQ=='] } } },
      '/block_results': {
        height,
        txs_results: [{ code: 5, log: 'no', gas_wanted: '7', gas_used: '6', events: [event] }],
        begin_block_events: null,
        finalize_block_events: [event],
      },
    };
    response.statusCode = lost ? 500 : 200;
    response.end(JSON.stringify(lost ? { error: { message: 'e', data } } : { result: results[pathname] }));
  });
  const sockets = new WebSocketServer({ server, path: '/websocket' });
  let connections = 0;
  sockets.on('connection', (socket) => {
    connections++;
    socket.on('message', (frame) => {
      node.frames.push(JSON.parse((frame as Buffer).toString()));
      if (node.welcome !== undefined) socket.send(node.welcome);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  const node: Node = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    head: 901_900,
    lowest: 901_801,
    welcome: '{"id":1,"result":{}}',
    calls: [],
    frames: [],
    connections: () => connections,
    push: () => {
      const data = { value: { header: { height: String(node.head) } } };
      for (const socket of sockets.clients) socket.send(JSON.stringify({ id: 1, result: { data } }));
    },
  };
  return node;
}

function watch(node: Node, options: WatchOptions = {}): AsyncGenerator<SmallBlock, void> {
  const blocks = watchBlocks(node.url, { silenceMs: 2_000, ...options });
  open.push(() => blocks.return());
  return blocks;
}

const next = async (blocks: AsyncGenerator<SmallBlock, void>): Promise<SmallBlock> =>
  (await blocks.next()).value as SmallBlock;

describe('watchBlocks', () => {
  it('without a first height: the one after the head, as soon as the websocket tells of it', async () => {
    const node = await startNode();
    const block = next(watch(node));
    await expect.poll(() => node.frames).toMatchObject([{ id: 1, method: 'subscribe' }]);
    node.head++;
    node.push();
    const event = { type: 'pay', attributes: [{ key: 'a', value: '1' }] };
    expect(await block).toEqual({
      height: 901_901n,
      time: { seconds: 1795865763n, nanos: 200_000_000 },
      chainId: 'hub-test-1',
      hash: 'AB',
      txs: [Uint8Array.of(1)],
      results: [{ code: 5, log: 'no', gasWanted: 7n, gasUsed: 6n, events: [event] }],
      events: [event],
    });
  });

  it('a height of the past: all from there on, without waiting for the websocket', async () => {
    const node = await startNode();
    const blocks = watch(node, { from: 901_898n });
    const heights = [await next(blocks), await next(blocks), await next(blocks)].map(({ height }) => height);
    expect(heights).toEqual([901_898n, 901_899n, 901_900n]);
  });

  it.each([
    ['says nothing', undefined],
    ['refuses', '{"id":1,"error":{"code":-32603,"data":"max_subscription_clients 100 reached"}}'],
    ['speaks something else', 'hello'],
  ])('a websocket that %s: opened again, and the head is asked for meanwhile', async (_, welcome) => {
    const node = await startNode();
    node.welcome = welcome;
    const block = next(watch(node, { silenceMs: 20 }));
    await expect.poll(() => node.connections()).toBeGreaterThan(1);
    node.head += 2;
    expect((await block).height).toBe(901_901n);
  });

  it.each([
    [901_850, 901_840n, 'height_not_retained'],
    [901_801, 5n, 'height_never_existed'],
  ])('lowest height %i, asked from %i: %s', async (lowest, from, code) => {
    const node = await startNode();
    node.lowest = lowest;
    await expect(next(watch(node, { from }))).rejects.toMatchObject({ name: 'HubError', code });
  });

  it('the caller aborts, before and while it waits, or leaves: the end, and no connection is left', async () => {
    const node = await startNode();
    expect(await watch(node, { signal: AbortSignal.abort() }).next()).toEqual({ done: true, value: undefined });
    const caller = new AbortController();
    const waiting = watch(node, { signal: caller.signal }).next();
    await expect.poll(() => node.frames).toHaveLength(1);
    caller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    for await (const { height } of watch(node, { from: 901_900n })) if (height === 901_900n) break;
    const asked = node.calls.length;
    node.head++;
    node.push();
    expect(node.calls.length).toBe(asked);
  });

  it('an address that is none: told to the caller', async () => {
    await expect(watchBlocks('nowhere', { timeoutMs: 100 }).next()).rejects.toThrow();
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { publicNaming } from '../naming/public.js';
import { openWebSocket, type WebSocketClient } from './connection.js';
import { eventQuery } from './event-query.js';

const closing: { close(): unknown }[] = [];
afterEach(() => {
  for (const open of closing.splice(0).reverse()) open.close();
});

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly query: string };
}

const hash = 'AB'.repeat(32);
const header = {
  version: { block: '11' },
  chain_id: 'hub-test-1',
  height: '901900',
  time: '2026-11-28T11:36:03.2Z',
  last_block_id: { hash, parts: { total: 1, hash } },
  ...Object.fromEntries(
    ['last_commit', 'data', 'validators', 'next_validators', 'consensus', 'app', 'last_results', 'evidence'].map(
      (name) => [`${name}_hash`, hash],
    ),
  ),
  proposer_address: 'AB'.repeat(20),
};
const headerData = { type: publicNaming.tagToWire('bft/event/NewBlockHeader'), value: { header, num_txs: '2' } };

async function open(
  answer: (socket: WebSocket, call: Call) => void,
  options: { silenceMs?: number; timeoutMs?: number; maxBytes?: number } = {},
): Promise<{ client: WebSocketClient; sockets: Set<WebSocket> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/websocket' });
  await once(server, 'listening');
  server.on('connection', (socket) =>
    socket.on('message', (frame) => answer(socket, JSON.parse((frame as Buffer).toString()) as Call)),
  );
  const { port } = server.address() as AddressInfo;
  closing.push({
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  });
  const client = await openWebSocket({ address: `http://127.0.0.1:${port}`, naming: publicNaming, ...options });
  closing.push(client);
  return { client, sockets: server.clients };
}

const send = (socket: WebSocket, id: number, members: object): void =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...members }));

describe('websocket', () => {
  it('subscriptions: each has its own id, its events in order, and is unsubscribed with the same query', async () => {
    const calls: Call[] = [];
    const { client } = await open((socket, call) => {
      calls.push(call);
      send(socket, call.id, { result: {} });
      if (call.method === 'subscribe')
        for (let i = 0; i < 2; i++) send(socket, call.id, { result: { query: 'q', data: headerData } });
    });
    const subscription = await client.subscribe('NewBlockHeader');
    const seen: unknown[] = [];
    for await (const event of subscription) {
      seen.push([event.kind, event.height, event.txCount, event.header.time]);
      if (seen.length === 2) break;
    }
    const time = { seconds: 1795865763n, nanos: 200_000_000 };
    expect(seen).toEqual(Array(2).fill(['NewBlockHeader', 901900n, 2n, time]));
    await expect
      .poll(() => calls.map(({ method, params }) => [method, params.query]))
      .toEqual([
        ['subscribe', "tm.event='NewBlockHeader'"],
        ['unsubscribe', "tm.event='NewBlockHeader'"],
      ]);
    expect(calls[0]?.id).not.toBe(calls[1]?.id);
  });

  it('an event before its acknowledgement: delivered', async () => {
    const { client } = await open((socket, call) => {
      if (call.method === 'subscribe') send(socket, call.id, { result: { query: 'q', data: headerData } });
      send(socket, call.id, { result: {} });
    });
    const subscription = await client.subscribe('NewBlockHeader');
    const { value } = await subscription[Symbol.asyncIterator]().next();
    expect(value?.height).toBe(901900n);
  });

  it('a refused subscription: fails with its code, and the slot is free again', async () => {
    const { client } = await open((socket, call) =>
      send(socket, call.id, {
        error: { code: -32603, message: 'Internal error', data: 'max_subscriptions_per_client 5 reached' },
      }),
    );
    for (let i = 0; i < 6; i++)
      await expect(client.subscribe('Tx')).rejects.toMatchObject({ code: 'limit', raw: { rpcCode: -32603 } });
  });

  it('a sixth subscription: refused by the client', async () => {
    const { client } = await open((socket, call) => send(socket, call.id, { result: {} }));
    for (let i = 0; i < 5; i++) await client.subscribe('Tx');
    await expect(client.subscribe('Tx')).rejects.toThrow('5 subscriptions are held');
  });

  it('no acknowledgement: fails with timeout', async () => {
    const { client } = await open(() => undefined, { timeoutMs: 50 });
    await expect(client.subscribe('Tx')).rejects.toMatchObject({ code: 'timeout' });
  });

  it('subscription cancelled by the node: iterating throws', async () => {
    const { client } = await open((socket, call) => {
      send(socket, call.id, { result: {} });
      send(socket, call.id, {
        error: { code: -32000, message: 'Server error', data: 'subscription was canceled (reason: slow client)' },
      });
    });
    const subscription = await client.subscribe('Tx');
    await expect(subscription[Symbol.asyncIterator]().next()).rejects.toThrow('slow client');
  });

  it.each<[string, object]>([
    ['an event that does not fit', { result: { query: 'q', data: { ...headerData, value: { header, num_txs: 2 } } } }],
    ['a subscription that the node cancels', { error: { code: -32000, message: 'Server error', data: 'canceled' } }],
  ])('%s: unsubscribed, and the slot is free again', async (_, members) => {
    const calls: string[] = [];
    const { client } = await open((socket, call) => {
      calls.push(call.method);
      send(socket, call.id, { result: {} });
      if (call.method === 'subscribe') send(socket, call.id, members);
    });
    for (let i = 0; i < 6; i++) {
      const subscription = await client.subscribe('NewBlockHeader');
      await expect(subscription[Symbol.asyncIterator]().next()).rejects.toThrow();
    }
    await expect.poll(() => calls).toEqual(Array(6).fill(['subscribe', 'unsubscribe']).flat());
  });

  it('unread events: unsubscribed at the limit, and the slot is free again', async () => {
    let left = 0;
    const { client } = await open((socket, call) => {
      send(socket, call.id, { result: {} });
      if (call.method === 'unsubscribe') left++;
      else for (let i = 0; i <= 10_000; i++) send(socket, call.id, { result: { query: 'q', data: headerData } });
    });
    for (let i = 1; i <= 6; i++) {
      await client.subscribe('NewBlockHeader');
      await expect.poll(() => left).toBe(i);
    }
  });

  it('leaving the loop: immediate, even if the node does not acknowledge it', async () => {
    const { client } = await open(
      (socket, call) => {
        if (call.method !== 'subscribe') return;
        send(socket, call.id, { result: {} });
        for (let i = 0; i < 3; i++) send(socket, call.id, { result: { query: 'q', data: headerData } });
      },
      // Waiting for the acknowledgement would outlast the limit of the test.
      { timeoutMs: 3_600_000 },
    );
    const subscription = await client.subscribe('NewBlockHeader');
    for await (const event of subscription) {
      expect(event.height).toBe(901900n);
      break;
    }
    expect(await subscription[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  it('a lost connection: the subscription fails, and closed has the reason', async () => {
    const { client, sockets } = await open((socket, call) => send(socket, call.id, { result: {} }));
    const subscription = await client.subscribe('NewBlock');
    const next = subscription[Symbol.asyncIterator]().next();
    for (const socket of sockets) socket.terminate();
    await expect(next).rejects.toMatchObject({ code: 'unavailable' });
    expect(await client.closed).toMatchObject({ code: 'unavailable' });
    await expect(client.subscribe('Tx')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('silent node: probed, then closed; kept open while it sends pings or responds', async () => {
    const asked: string[] = [];
    let answering = true;
    const { client, sockets } = await open(
      (socket, call) => {
        asked.push(call.method);
        if (answering) send(socket, call.id, { result: {} });
      },
      { silenceMs: 250 },
    );
    await expect.poll(() => asked.length).toBe(3);
    answering = false;
    let pings = 0;
    const pinging = setInterval(() => {
      for (const socket of sockets) socket.ping();
      pings += 1;
      if (pings === 20) clearInterval(pinging);
    }, 50);
    const reason = await client.closed;
    expect(reason).toMatchObject({ code: 'timeout', message: expect.stringContaining('for 250 ms') });
    expect(pings).toBe(20);
    expect(new Set(asked)).toEqual(new Set(['health']));
  });

  it('a frame that is not JSON, and an event that does not fit: fail with decode', async () => {
    const { client } = await open((socket, call) => {
      send(socket, call.id, { result: {} });
      send(socket, call.id, { result: { query: 'q', data: { ...headerData, value: { header, num_txs: 2 } } } });
    });
    const subscription = await client.subscribe('NewBlockHeader');
    await expect(subscription[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'decode',
      message: expect.stringContaining('num_txs'),
    });
    const { client: other } = await open((socket) => socket.send('<html>'));
    await expect(other.subscribe('Tx')).rejects.toMatchObject({ code: 'decode' });
  });

  it('engine 0.38: a block with its id and all its results, a header without a count', async () => {
    const event = { type: 'app', attributes: [{ key: 'k', value: 'v', index: true }] };
    const block = { header, data: { txs: ['AQ=='] }, evidence: { evidence: null }, last_commit: null };
    const value = {
      block,
      block_id: { hash, parts: { total: 1, hash } },
      result_finalize_block: { events: [event], tx_results: [{ code: 0, events: [event] }], validator_updates: null },
    };
    const { client } = await open((socket, call) => {
      send(socket, call.id, { result: {} });
      if (call.method !== 'subscribe') return;
      const kind = /tm.event='(\w+)'/.exec(call.params.query)?.[1] ?? '';
      const data = {
        type: publicNaming.tagToWire(`bft/event/${kind}`),
        value: kind === 'NewBlock' ? value : { header },
      };
      send(socket, call.id, { result: { query: 'q', data } });
    });
    const one = async (kind: 'NewBlock' | 'NewBlockHeader') =>
      (await (await client.subscribe(kind))[Symbol.asyncIterator]().next()).value;
    expect(await one('NewBlock')).toMatchObject({
      height: 901900n,
      blockId: { hash },
      beginBlockEvents: [],
      finalizeBlockEvents: [event],
      txResults: [{ code: 0, gasUsed: 0n, events: [event] }],
    });
    expect(await one('NewBlockHeader')).toMatchObject({ height: 901900n, txCount: undefined });
  });

  it('a query: sent in wire names; a text that is not a safe query never reaches the node', async () => {
    const queries: string[] = [];
    const { client } = await open((socket, call) => {
      queries.push(call.params.query);
      send(socket, call.id, { result: {} });
    });
    await client.subscribe(eventQuery('Tx').is('message.action', '/hub.node.v3.MsgUpdateNodeStatusRequest'));
    expect(queries).toEqual(["tm.event='Tx' AND message.action = '/sentinel.node.v3.MsgUpdateNodeStatusRequest'"]);
    await expect(client.subscribe("Tx' AND a.b > TIME 2026" as 'Tx')).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(queries).toHaveLength(1);
  });

  it('429 at the handshake: fails with rate_limited and the requested wait', async () => {
    const limited = createServer((_, response) => response.writeHead(429, { 'retry-after': '5' }).end());
    limited.listen(0, '127.0.0.1');
    await once(limited, 'listening');
    closing.push(limited);
    const address = `http://127.0.0.1:${(limited.address() as AddressInfo).port}`;
    await expect(openWebSocket({ address, naming: publicNaming })).rejects.toMatchObject({
      code: 'rate_limited',
      raw: { httpStatus: 429, retryAfterMs: 5_000 },
    });
  });

  it('a frame over the limit: fails with limit; invalid UTF-8: fails with decode', async () => {
    for (const [frame, code] of [
      [Buffer.alloc(2_000, 'x'), 'limit'],
      [Buffer.from([0x22, 0xff, 0x22]), 'decode'],
    ] as const) {
      const { client } = await open((socket) => socket.send(frame, { binary: false }), { maxBytes: 1_000 });
      await expect(client.subscribe('Tx')).rejects.toMatchObject({ code });
      expect(await client.closed).toMatchObject({ code });
    }
  });

  it('closing: ends the iteration without a failure', async () => {
    const { client } = await open((socket, call) => send(socket, call.id, { result: {} }));
    const subscription = await client.subscribe('Tx');
    const next = subscription[Symbol.asyncIterator]().next();
    await client.close();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await client.closed).toBeUndefined();
  });

  it('no listening server: fails with refused; not a websocket: fails with http', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/other' });
    await once(server, 'listening');
    const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(openWebSocket({ address, naming: publicNaming })).rejects.toMatchObject({ code: 'http' });
    server.close();
    await once(server, 'close');
    await expect(openWebSocket({ address, naming: publicNaming })).rejects.toMatchObject({ code: 'refused' });
  });
});

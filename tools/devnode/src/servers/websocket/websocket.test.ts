import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { JsonLines } from '../../chain/json-lines.js';
import { recordingsFolder } from '../../recordings-folder.js';
import { type Devnode, startDevnode } from '../../start.js';

interface Frame {
  readonly id: unknown;
  readonly result?: { readonly query?: string; readonly data?: unknown; readonly events?: Record<string, string[]> };
  readonly error?: unknown;
}

/** A client that waits for frames instead of sleeping. */
class Client {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  #wake: () => void = () => {};

  constructor(address: string) {
    this.socket = new WebSocket(address);
    this.socket.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as Frame);
      this.#wake();
    });
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.socket.once('open', () => resolve()));
  }

  async take(count: number): Promise<Frame[]> {
    while (this.frames.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.frames.splice(0, count);
  }

  async ask(id: unknown, method: string, params: unknown = {}): Promise<Frame> {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return (await this.take(1))[0] as Frame;
  }
}

/** Recorded frames of a connection that contain an event. */
function recordedEvents(connection: string): Frame[] {
  const lines = new JsonLines(join(recordingsFolder, 'rpc-websocket.jsonl.gz'));
  const frames: Frame[] = [];
  for (let line = 0; line < lines.length; line++) {
    const { conn, dir, op, text } = lines.parse<{ conn: string; dir: string; op: string; text: string }>(line);
    if (conn !== connection || dir !== 'in' || op !== 'text') continue;
    const frame = JSON.parse(text) as Frame;
    if (frame.result?.data !== undefined) frames.push(frame);
  }
  return frames;
}

/** The frame as text, without values that a recording lacks: part hashes, signatures, and the hashes over them. */
function comparable({ result }: Frame): string {
  const data = JSON.stringify(result?.data)
    .replace(/"parts":\{"total":1,"hash":"[0-9A-F]+"\}/g, '"parts"')
    .replace(/"signature":"[^"]+"/g, '"signature"')
    .replace(/"last_commit_hash":"[0-9A-F]+"/g, '"last_commit_hash"');
  const events = Object.entries(result?.events ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${result?.query} ${data} ${JSON.stringify(events)}`;
}

describe('websocket', () => {
  let devnode: Devnode;
  afterEach(() => devnode.close());

  const start = async (from: number): Promise<Client> => {
    devnode = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from });
    const client = new Client(devnode.websocket);
    await client.open();
    return client;
  };

  it('events: blocks, headers and transactions match the recorded frames', async () => {
    const recorded = [...recordedEvents('blocks'), ...recordedEvents('txs')];
    const kinds = [`tm.event='NewBlock'`, `tm.event='NewBlockHeader'`, `tm.event='Tx'`];
    const client = await start(902518);
    for (const query of kinds)
      expect(await client.ask('s', 'subscribe', { query })).toEqual({ jsonrpc: '2.0', id: 's', result: {} });
    await devnode.advanceTo(902531);
    // A frame written to the socket has not necessarily been read yet.
    const missing = (): (string | undefined)[] => {
      const played = new Set(client.frames.map(comparable));
      return recorded.filter((frame) => !played.has(comparable(frame))).map(({ result }) => result?.query);
    };
    await expect.poll(missing).toEqual([]);
    expect(recorded.length).toBe(34);
  });

  it('a client that does not read: is dropped, while the chain moves and other clients receive every frame', async () => {
    const slow = await start(901904);
    const healthy = new Client(devnode.websocket);
    await healthy.open();
    for (let i = 1; i <= 5; i++) {
      await slow.ask(i, 'subscribe', { query: `tm.event${' '.repeat(i)}= 'NewBlock'` });
    }
    await healthy.ask('s', 'subscribe', { query: `tm.event='NewBlockHeader'` });
    slow.socket.pause();
    const closed = new Promise<void>((resolve) => slow.socket.once('close', () => resolve()));
    await devnode.advanceTo(902600);
    await expect.poll(() => healthy.frames.length).toBe(902600 - 901904);
    slow.socket.resume();
    await closed;
    expect(slow.frames.length).toBeLessThan(5 * (902600 - 901904));
  });

  it('limits: the sixth subscription and a duplicate one are rejected', async () => {
    const client = await start(901900);
    for (let i = 0; i < 5; i++) await client.ask(i, 'subscribe', { query: `tm.event='Tx' AND a.b='${i}'` });
    const refused = await client.ask('x', 'subscribe', { query: `tm.event='Tx'` });
    expect(refused.error).toEqual({
      code: -32603,
      message: 'Internal error',
      data: 'max_subscriptions_per_client 5 reached',
    });
    expect((await client.ask(9, 'unsubscribe', { query: `tm.event='Tx' AND a.b='0'` })).result).toEqual({});
    const again = await client.ask(10, 'subscribe', { query: `tm.event='Tx' AND a.b='1'` });
    expect(again.error).toMatchObject({ data: 'already subscribed' });
  });

  it('calls: ordinary methods work, invalid parameters are an internal error, missing ones a panic', async () => {
    const client = await start(901904);
    expect((await client.ask('b', 'health')).result).toEqual({});
    const refused = await client.ask('g', 'header', { height: 901802 });
    expect(refused.error).toMatchObject({ code: -32603, message: 'Internal error' });
    client.socket.send('{"jsonrpc":"2.0","id":"h","method":"header"}');
    expect((await client.take(1))[0]).toMatchObject({
      id: -1,
      error: { data: 'WSJSONRPC: reflect: Call with too few input arguments' },
    });
  });
});

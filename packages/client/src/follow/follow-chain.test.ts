import { afterEach, describe, expect, it } from 'vitest';
import { ChainServer, type ChainServerOptions } from '../../test/chain-server.js';
import { type Clock, systemClock } from '../clock.js';
import { publicNaming } from '../naming/public.js';
import { eventQuery } from '../websocket/event-query.js';
import { type ChainFollower, followChain, type FollowOptions } from './follow-chain.js';
import type { FollowEvent } from './follow-event.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function serve(options: ChainServerOptions): Promise<ChainServer> {
  const server = await ChainServer.start(options);
  open.push(server);
  return server;
}

function follow(
  servers: readonly ChainServer[],
  options: Partial<FollowOptions> = {},
): { chain: ChainFollower; events: FollowEvent[]; told: (kind: FollowEvent['kind']) => number } {
  const events: FollowEvent[] = [];
  const chain = followChain({
    rpc: servers.map(({ url }) => url) as [string],
    naming: publicNaming,
    backoff: { firstMs: 5, mostMs: 50 },
    pollMs: 10,
    timeoutMs: 1_000,
    onEvent: (event) => events.push(event),
    ...options,
  });
  open.push(chain);
  return { chain, events, told: (kind) => events.filter((event) => event.kind === kind).length };
}

type Item = { kind: string; height?: bigint; from?: bigint; to?: bigint };
const textOf = (item: Item): string => (item.kind === 'gap' ? `gap ${item.from}..${item.to}` : String(item.height));

/** Takes the given number of items. */
async function take<T extends Item>(items: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value, done } = await items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

const heights = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

describe('following a chain', () => {
  it.each(['0.37', '0.38'] as const)('engine %s: pushed and read blocks are equal objects', async (engine) => {
    const server = await serve({ engine, head: 901_900 });
    const { chain } = follow([server]);
    const pushed = chain.blocks({ from: 901_901n });
    const first = pushed.next();
    await expect.poll(() => server.subscribers.size).toBe(1);
    server.grow(4);
    const live = [(await first).value, ...(await take(pushed, 3))];
    const read = await take(chain.blocks({ from: 901_901n }), 4);
    expect(live.map((item) => item && textOf(item))).toEqual(heights(901_901, 901_904));
    expect(live).toEqual(read);
    expect(live[0]).toMatchObject({
      kind: 'block',
      results: {
        txsResults: [],
        [engine === '0.37' ? 'beginBlockEvents' : 'finalizeBlockEvents']: [
          { type: 'hub.lease.v1.EventPay' },
          ...(engine === '0.37' ? [] : [{ type: 'mint' }]),
        ],
      },
    });
    expect(live[1]).toMatchObject({
      block: { txs: [expect.any(Uint8Array)] },
      results: { txsResults: [{ gasUsed: 5n }] },
    });
  });

  it('engine 0.38, and blocks without transactions of 0.37: nothing is read while blocks are pushed', async () => {
    const server = await serve({ engine: '0.38', head: 901_900 });
    const { chain } = follow([server], { pollMs: 5_000 });
    const blocks = chain.blocks({ from: 901_901n });
    const first = blocks.next();
    await expect.poll(() => server.subscribers.size).toBe(1);
    await expect.poll(() => server.calls.filter((call) => call === 'status').length).toBeGreaterThan(1);
    server.grow(3);
    await first;
    await take(blocks, 2);
    expect(server.calls.filter((call) => call.startsWith('block'))).toEqual([]);
  });

  it('websocket with dropped, repeated, late or cancelled frames and a cut: every height once, in order', async () => {
    const server = await serve({ head: 901_900 });
    const { chain, told } = follow([server]);
    const blocks = chain.headers({ from: 901_890n });
    const taken: string[] = [];
    const reading = (async () => {
      for await (const item of blocks) {
        taken.push(textOf(item));
        if (item.kind === 'header' && item.height === 901_960n) break;
      }
    })();
    const connected = () => expect.poll(() => server.subscribers.size).toBe(1);
    await connected();
    server.grow(5);
    server.pushing = false;
    server.grow(3);
    server.pushing = true;
    server.grow(2);
    server.push(901_905);
    server.push(901_910);
    server.push(901_899);
    server.cancel('internal subscription event buffer is out of capacity');
    server.grow(10);
    await connected();
    server.grow(5);
    server.cut();
    server.grow(20);
    await connected();
    server.grow(15);
    await reading;
    expect(taken).toEqual(heights(901_890, 901_960));
    expect(told('disconnected')).toBeGreaterThanOrEqual(2);
    expect(server.calls.filter((call) => call === 'subscribe').length).toBeLessThan(8);
  });

  it('open websocket without frames while the chain continues: closed, and polling covers the time', async () => {
    const server = await serve({ head: 901_900 });
    const { chain, events } = follow([server], { muteMs: 100 });
    const blocks = chain.headers({ from: 901_901n });
    const first = blocks.next();
    await expect.poll(() => server.subscribers.size).toBe(1);
    server.pushing = false;
    server.grow(3);
    expect(textOf((await first).value as Item)).toBe('901901');
    expect((await take(blocks, 2)).map(textOf)).toEqual(['901902', '901903']);
    await expect.poll(() => events.find(({ kind }) => kind === 'mute')).toMatchObject({ head: 901_903n });
    server.pushing = true;
    await expect.poll(() => server.calls.filter((call) => call === 'subscribe').length).toBe(2);
    server.grow(1);
    expect((await take(blocks, 1)).map(textOf)).toEqual(['901904']);
  });

  it('without from: the first item is the block after the latest one', async () => {
    const server = await serve({ head: 901_900 });
    const blocks = follow([server]).chain.headers();
    const first = blocks.next();
    await expect.poll(() => server.calls.includes('status')).toBe(true);
    await expect.poll(() => server.subscribers.size).toBe(1);
    server.grow(2);
    expect(textOf((await first).value as Item)).toBe('901901');
  });

  it('heights that no node retains: reported as a gap, and the stream continues after it', async () => {
    const near = await serve({ head: 901_950, lowest: 901_940 });
    const far = await serve({ head: 901_950, lowest: 901_920 });
    const { chain, told } = follow([near, far]);
    const items = await take(chain.blocks({ from: 901_910n }), 12);
    expect(items.map(textOf)).toEqual(['gap 901910..901919', ...heights(901_920, 901_930)]);
    expect(items[0]).toMatchObject({ cause: { code: 'height_not_retained' } });
    expect(told('gap')).toBe(1);
  });

  it('a gap while one node does not respond: reported only after gapAfterMs', async () => {
    const near = await serve({ head: 901_950, lowest: 901_940 });
    const gone = await serve({ head: 901_950 });
    await gone.close();
    open.splice(open.indexOf(gone), 1);
    // Timers of this clock fire immediately and advance its time, so the wait is counted, not measured.
    let passedMs = 0;
    const clock: Clock = {
      ...systemClock,
      monotonicMs: () => passedMs,
      setTimeout: (fn, ms) =>
        systemClock.setTimeout(() => {
          passedMs += ms;
          fn();
        }, 0),
    };
    const { chain, told } = follow([near, gone], { gapAfterMs: 300, clock });
    expect((await take(chain.headers({ from: 901_930n }), 2)).map(textOf)).toEqual(['gap 901930..901939', '901940']);
    expect(passedMs).toBeGreaterThanOrEqual(300);
    expect(told('retry')).toBeGreaterThan(0);
  });

  it('a block whose results do not exist yet: waited for; if they are lost, a gap of one height', async () => {
    const server = await serve({ head: 901_905 });
    let missing = 4;
    server.refuse = (method, height) =>
      method === 'block_results' && ((height === 901_903 && missing-- > 0) || height === 901_901)
        ? `could not find results for height #${height}`
        : undefined;
    const items = await take(follow([server]).chain.blocks({ from: 901_901n }), 5);
    expect(items.map(textOf)).toEqual(['gap 901901..901901', ...heights(901_902, 901_905)]);
  });

  it('a slow reader: no block is buffered for it; it catches up by height', async () => {
    const server = await serve({ head: 901_900 });
    const { chain, told } = follow([server]);
    const blocks = chain.headers({ from: 901_901n });
    const first = blocks.next();
    await expect.poll(() => server.subscribers.size).toBe(1);
    server.grow(1);
    await first;
    server.grow(200);
    // Another reader has received the last one, so all were pushed.
    await take(chain.headers({ from: 902_101n }), 1);
    const items = await take(blocks, 200);
    expect(items.map(textOf)).toEqual(heights(901_902, 902_101));
    // The last 32 were still buffered.
    expect(told('filled')).toBeGreaterThanOrEqual(150);
    expect(told('filled')).toBeLessThanOrEqual(169);
  });

  it('node of another chain: never used', async () => {
    const server = await serve({ head: 901_905 });
    const other = await serve({ head: 901_990, chainId: 'hub-test-2' });
    const { chain } = follow([server, other], { gapAfterMs: 60_000 });
    const items = await take(chain.headers({ from: 901_901n }), 5);
    const chains = new Set(items.map((item) => item.kind === 'header' && item.header.chainId));
    expect(chains.size).toBe(1);
    expect(items.map(textOf)).toEqual(heights(901_901, 901_905));
  });

  it('transactions and events: selected by a query, in order, by the rules of the engine', async () => {
    const server = await serve({ head: 901_910 });
    const { chain } = follow([server]);
    const update = eventQuery('Tx').is('message.action', '/hub.node.v3.MsgUpdateNodeStatusRequest');
    const txs = await take(chain.transactions({ from: 901_901n, where: update.height('>', 901_903n) }), 2);
    expect(txs.map(textOf)).toEqual(['901904', '901906']);
    expect(txs[0]).toMatchObject({ kind: 'tx', index: 0, result: { code: 0 } });
    const events = await take(
      chain.events(update.field('hub.node.v3.EventUpdateStatus', 'status', 'active'), { from: 901_901n }),
      2,
    );
    expect(events.map((item) => item.kind === 'event' && [item.height, item.origin, item.txIndex, item.type])).toEqual([
      [901_902n, 'tx', 0, 'message'],
      [901_902n, 'tx', 0, 'hub.node.v3.EventUpdateStatus'],
    ]);
    const pays = chain.events(eventQuery('NewBlock').exists('hub.lease.v1.EventPay.lease_id'), { from: 901_901n });
    const [pay] = await take(pays, 1);
    expect(pay).toMatchObject({ origin: 'begin_block', txIndex: undefined, type: 'hub.lease.v1.EventPay', faults: [] });
    // Narrowed by its type. Neither the value nor the attributes have JSON quotes.
    if (pay?.kind !== 'event' || pay.type !== 'hub.lease.v1.EventPay') throw new Error('another event');
    expect(pay.value.leaseId).toBe(901_901n);
    expect(pay.attributes).toContainEqual({ key: 'lease_id', value: '901901', index: true });
    const none = eventQuery('NewBlock').field('hub.lease.v1.EventPay', 'lease_id', 901_903n);
    expect((await take(chain.events(none, { from: 901_901n }), 1)).map(textOf)).toEqual(['901903']);
    expect((await take(chain.events(eventQuery('NewBlock'), { from: 901_901n }), 2)).map(textOf)).toEqual([
      '901901',
      '901901',
    ]);
  });

  it('leaving the loop, a signal and close: end immediately, and leave no connection', async () => {
    const server = await serve({ head: 901_900 });
    const { chain } = follow([server]);
    for await (const item of chain.headers({ from: 901_899n })) {
      expect(textOf(item)).toBe('901899');
      break;
    }
    await expect.poll(() => server.subscribers.size).toBe(0);
    const controller = new AbortController();
    const waiting = chain.headers({ from: 901_901n, signal: controller.signal }).next();
    await expect.poll(() => server.subscribers.size).toBe(1);
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await expect.poll(() => server.subscribers.size).toBe(0);
    const other = chain.blocks({ from: 901_901n }).next();
    await expect.poll(() => server.subscribers.size).toBe(1);
    chain.close();
    expect(await other).toEqual({ done: true, value: undefined });
    await expect.poll(() => server.subscribers.size).toBe(0);
  });

  it('heights that cannot be followed: refused, with the code', async () => {
    const server = await serve({ head: 901_900 });
    const { chain } = follow([server]);
    expect(() => chain.blocks({ from: 0n })).toThrow('heights begin with 1');
    await expect(chain.blocks({ from: 900_000n }).next()).rejects.toMatchObject({ code: 'height_never_existed' });
    server.refuse = (method) => (method === 'block_results' ? 'node is not persisting abci responses' : undefined);
    await expect(chain.blocks({ from: 901_850n }).next()).rejects.toMatchObject({ code: 'unimplemented' });
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { createLedgerStore, type LedgerRow, openStore } from '@hubwatch/daemon/parts';
import { chainFolder, type Devnode, startDevnode } from '@hubwatch/devnode';
import { BlockStream } from '@hubwatch/devnode/chain';
import { type FaultPlan, type FaultProxy, type FrameFault, startFaultProxy } from '@hubwatch/devnode/faults';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { eventually } from './eventually.js';
import { parseExposition, type Samples } from './exposition.js';
import { startMailServer } from './mail-server.js';
import { monitorChain } from './monitored-chain.js';

/** A part of the recorded day with many payments. */
const [first, last] = [903_667, 903_797];
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Watched {
  readonly node: Devnode;
  readonly proxy: FaultProxy;
  readonly samples: () => Promise<Samples>;
  /** Waits until the ledger contains a height. */
  readonly reached: (height: number) => Promise<void>;
  /** Stops the daemon and returns the rows in its store. */
  readonly rows: () => Promise<readonly LedgerRow[]>;
}

/** A daemon on a replayed chain, with a proxy between them that can disturb the websocket. */
async function watched(from: number, ledger: string, plan: FaultPlan): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-hint-'));
  closers.push(() => rm(folder, { recursive: true }));
  const node = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from });
  closers.push(() => node.close());
  const proxy = await startFaultProxy({ target: node.rpc, mode: 'http', plan });
  closers.push(() => proxy.close());
  const store = join(folder, 'store.db');
  const nodes = Object.entries(node.accounts).filter(([name]) => name.startsWith('node'));
  const config = parseConfig(
    stringify({
      network: { chain_id: node.chainId },
      endpoints: [{ name: 'own', role: 'own', rpc: proxy.url }],
      watch: { nodes: nodes.map(([alias, address]) => ({ alias, address })) },
      poll: { endpoints: ledger, nodes: '10m', leases: '10m', sessions: '10m', network: '10m', ledger, other: '10m' },
      web: { listen: '127.0.0.1:0' },
      store: { path: store },
    }),
  );
  const app = await startApp(config, {
    clock: { ...systemClock, nowMs: () => Date.parse(node.position().time) },
    logger: createLogger('silent'),
  });
  closers.push(() => app.close());
  const samples = async (): Promise<Samples> => parseExposition(await (await fetch(`${app.address()}/metrics`)).text());
  return {
    node,
    proxy,
    samples,
    async reached(height) {
      await eventually(`the ledger holds block ${height}`, async () => {
        const now = await samples();
        return now.get('hub_head_height{}') === height && now.get('hubwatch_unprocessed_blocks{}') === 0
          ? true
          : undefined;
      });
    },
    async rows() {
      await app.close();
      const opened = openStore(store);
      const kept = createLedgerStore(opened);
      expect(kept.gaps()).toEqual([]);
      const rows = kept.rows();
      opened.close();
      return rows;
    },
  };
}

/** Every paid hour and every settled session in blocks of the recorded day. */
function truth(first: number, last: number): readonly string[] {
  const blocks = new BlockStream(chainFolder('day'));
  const found: string[] = [];
  for (let height = first; height <= last; height++) {
    for (const { type, attributes } of blocks.block(height).begin_block) {
      const id = type === 'hub.lease.v1.EventPay' ? 'lease_id' : type === 'hub.node.v3.EventPay' ? 'session_id' : '';
      if (id === '') continue;
      found.push(`${height} ${attributes.find(([key]) => key === id)?.[1].replaceAll('"', '')}`);
    }
  }
  return found;
}

const paid = (rows: readonly LedgerRow[]): readonly string[] =>
  rows
    .filter(({ kind }) => kind === 'lease_paid' || kind === 'session_paid')
    .map(({ height, record }) => `${height} ${record}`);

describe('websocket as a hint', () => {
  it('websocket hint: blocks are read when they are announced; cut, lost or damaged frames cause no gap and no duplicate', async () => {
    const faults: (FrameFault | undefined)[] = [
      undefined,
      undefined,
      { kind: 'duplicate' },
      { kind: 'replay' },
      { kind: 'drop' },
      undefined,
      { kind: 'truncate' },
      { kind: 'cancel', reason: 'internal subscription event buffer is out of capacity' },
      { kind: 'cut' },
      undefined,
      undefined,
      { kind: 'garble' },
      { kind: 'close', code: 1_001 },
      { kind: 'reset' },
    ];
    let next = 0;
    const { node, proxy, samples, reached, rows } = await watched(first, '10m', {
      // Acknowledgements are excluded: a lost one would take its whole timeout.
      frame: (text) => (text.includes('"data"') ? faults[next++ % faults.length] : undefined),
    });
    const connected = () =>
      eventually('the websocket is connected', async () =>
        (await samples()).get('hubwatch_websocket_connected{endpoint="own"}') === 1 ? true : undefined,
      );
    await connected();
    for (let step = 1; step <= 25; step++) {
      await node.advanceTo(first + 5 * step);
      await connected();
    }
    proxy.follow({});
    await proxy.down('cut');
    await proxy.up();
    await connected();
    await node.advanceTo(last);
    await reached(last);
    const series = await samples();
    expect(proxy.count).toBeGreaterThan(5);
    expect(series.get('hubwatch_websocket_events_total{endpoint="own",type="NewBlockHeader"}')).toBeGreaterThan(8);
    const reconnects = [...series].filter(([name]) => name.startsWith('hubwatch_websocket_reconnects_total'));
    expect(reconnects.reduce((sum, [, value]) => sum + value, 0)).toBeGreaterThan(3);
    expect(paid(await rows())).toEqual(truth(first, last));
  });

  it('an endpoint that rejects websockets is polled, and nothing is missing', async () => {
    const { node, samples, reached, rows } = await watched(first, '100ms', {
      answer: ({ path }) => (path.includes('/websocket') ? { kind: 'status', status: 404 } : undefined),
    });
    await reached(first);
    await node.advanceTo(last);
    await reached(last);
    const series = await samples();
    expect(series.get('hubwatch_websocket_connected{endpoint="own"}')).toBe(0);
    expect(series.get('hubwatch_websocket_reconnects_total{endpoint="own",reason="http"}')).toBeGreaterThan(0);
    expect(paid(await rows())).toEqual(truth(first, last));
  });

  it('the mail about a lapse is sent without waiting for the next poll', async () => {
    const mails = await startMailServer();
    closers.push(() => mails.close());
    const chain = await monitorChain({
      chain: 'chain',
      from: 901_900,
      watch: ['node5'],
      smtpPort: mails.port,
      isNow: true,
      isPushed: true,
      // Longer than the test may take, so that no poll can have triggered the notification.
      poll: { endpoints: '10m', nodes: '10m' },
      rules: { HubNodeInactive: { for: '0s' } },
    });
    closers.push(() => chain.close());
    const told = (samples: Samples): boolean => samples.get('hubwatch_websocket_connected{endpoint="own"}') === 1;
    await eventually('the websocket is connected', async () => (told(await chain.samples()) ? true : undefined));
    await chain.node.advanceTo(901_903);
    await chain.node.advanceTo(901_904);
    const subjects = (): readonly (string | undefined)[] => mails.mails.map((mail) => mail.header('Subject'));
    await eventually('the mail of the lapse', () => subjects().find((subject) => subject?.includes('inactive since')));
  });
});

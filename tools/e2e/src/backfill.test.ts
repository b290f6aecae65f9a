import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@hubwatch/client';
import { systemClock } from '@hubwatch/daemon';
import {
  backfill,
  type BackfillSummary,
  createLedgerStore,
  feeOwners,
  hubEntries,
  type LedgerRow,
  openStore,
} from '@hubwatch/daemon/parts';
import { chainFolder, startDevnode } from '@hubwatch/devnode';
import { BlockStream } from '@hubwatch/devnode/chain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folderOfChain = chainFolder('chain');
/** A part of the recorded chain with both swaps, leases with several kinds of end, settlements and subscriptions. */
const first = new BlockStream(folderOfChain).first;
const last = first + 420;

/** Every node, provider and account in this part. */
function subjects(): readonly string[] {
  const blocks = new BlockStream(folderOfChain);
  const found = new Set<string>();
  for (let height = first; height <= last; height++)
    for (const { type, attributes } of blocks.block(height).txs.flatMap(({ events }) => events))
      for (const [key, value] of type.startsWith('hub.') ? attributes : [])
        if (/^(?:node_address|prov_address|acc_address|receiver)$/.test(key)) found.add(value.replaceAll('"', ''));
  return [...found];
}

const lineOf = ({ height, blockMs, kind, node, provider, account, record, amount, denom, detail }: LedgerRow): string =>
  JSON.stringify([Number(height), blockMs, kind, node, provider, account, record, amount, denom, detail]);

describe('ledger backfill against a recorded chain', () => {
  const closers: (() => Promise<unknown>)[] = [];
  const addresses = subjects();
  let folder: string;
  let hub: ReturnType<typeof connectTo>;
  let truth: readonly string[];
  const connectTo = (rpc: string) => connect({ rpc });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hubwatch-backfill-'));
    closers.push(() => rm(folder, { recursive: true }));
    const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: last });
    closers.push(() => node.close());
    hub = connectTo(node.rpc);
    closers.push(() => hub.close());
    truth = await readingEveryBlock();
  });

  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  /** Rows of a ledger that existed from the first block on. */
  async function readingEveryBlock(): Promise<readonly string[]> {
    const store = openStore(join(folder, 'live.db'));
    const ledger = createLedgerStore(store);
    for (let height = BigInt(first); height <= BigInt(last); height += 1n) {
      const entries = hubEntries(await hub.rpc.call('block_results', { height }))
        .map(feeOwners(addresses))
        .filter((entry) => [entry.node, entry.provider, entry.account].some((one) => addresses.includes(one)));
      const { header } = await hub.rpc.call('header', { height });
      const time = header?.time;
      ledger.add(height, entries, time && Number(time.seconds) * 1_000 + Math.floor(time.nanos / 1_000_000));
    }
    const lines = ledger.rows().map(lineOf).toSorted();
    store.close();
    return lines;
  }

  /** Runs once on a reopened store and returns its rows afterwards. */
  async function run(
    name: string,
    options: { readonly limit?: number; readonly stopAfter?: number } = {},
  ): Promise<{ readonly summary: BackfillSummary; readonly lines: readonly string[] }> {
    const store = openStore(join(folder, name));
    const ledger = createLedgerStore(store);
    if (ledger.position() === undefined) {
      ledger.begin(BigInt(last));
      ledger.starts.watch(addresses, BigInt(last) + 1n);
    }
    const stopping = new AbortController();
    let asked = 0;
    const call = ((...all: Parameters<typeof hub.rpc.call>) => {
      if (all[0] === 'block_results' && ++asked === options.stopAfter) stopping.abort();
      return hub.rpc.call(...all);
    }) as typeof hub.rpc.call;
    const summary = await backfill({
      store: ledger,
      sources: [{ name: 'own', rpc: { call }, naming: hub.naming, requestsPerSecond: 1e6 }],
      addresses,
      limit: options.limit ?? 1e6,
      clock: systemClock,
      signal: stopping.signal,
    });
    const lines = ledger.rows().map(lineOf).toSorted();
    expect([...ledger.totals.nodeReceived], 'counters do not grow by what is past').toEqual([]);
    store.close();
    return { summary, lines };
  }

  it('backfill: adds the rows of a ledger that read every block, and finds nothing more the second time', async () => {
    const once = await run('once.db');
    expect(once.summary).toMatchObject({ gaps: [], stopped: undefined, rows: truth.length });
    expect(once.lines).toEqual(truth);
    expect(truth.length).toBeGreaterThan(150);
    const again = await run('once.db');
    expect(again.summary).toMatchObject({ searched: undefined, blocks: 0, rows: 0, stopped: undefined });
  });

  it('backfill: interrupted and limited repeatedly, it resumes without duplicates', async () => {
    let runs = 0;
    let rows = 0;
    let blocks = 0;
    for (let at = 0; ; at += 1) {
      const { summary, lines } = await run('often.db', at % 2 === 0 ? { stopAfter: 20 + at } : { limit: 25 });
      runs += 1;
      rows += summary.rows;
      blocks += summary.blocks;
      if (summary.stopped !== undefined) continue;
      expect(lines).toEqual(truth);
      break;
    }
    expect(runs).toBeGreaterThan(3);
    expect(rows).toBe(truth.length);
    // No block is read twice.
    expect(blocks).toBe(new Set(truth.map((line) => (JSON.parse(line) as unknown[])[0])).size);
  });
});

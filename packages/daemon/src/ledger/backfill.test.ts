import { HubError, systemClock } from '@hubwatch/client';
import { convertAddress } from '@hubwatch/client/address';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { expect, onTestFinished, test } from 'vitest';
import { time } from '../../test/fake-endpoint.js';
import { endpointAt, startLargeNode } from '../../test/large-answers.js';
import { nodeAddress, providerAddress, temporaryStore } from '../../test/parts.js';
import { connectTo } from '../endpoints/connection.js';
import { backfill, type BackfillOptions, type BackfillSource } from './backfill.js';
import { searchesOf, backfillSearch } from './backfill-queries.js';
import type { Entry } from './entry.js';
import { createLedgerStore } from './ledger-store.js';

const hourMs = 3_600_000;
const event = (type: string, values: Record<string, string>) => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), index: true })),
});
const lease = { lease_id: '4', node_address: nodeAddress, prov_address: providerAddress };
/** A lease of two hours with a renewal policy that lapsed with its node in the block of its term end. */
const blocks: Readonly<Record<number, readonly ReturnType<typeof event>[]>> = {
  10: [event('hub.lease.v1.EventCreate', { ...lease, max_hours: '2', renewal_price_policy: 'always' })],
  11: [event('hub.lease.v1.EventPay', { ...lease, payment: '8udvpn', staking_reward: '2udvpn' })],
  20: [
    event('hub.lease.v1.EventEnd', lease),
    event('hub.node.v3.EventUpdateStatus', { node_address: nodeAddress, status: 'inactive' }),
  ],
};
const msOf = (height: bigint): number => (height <= 10n ? 0 : height < 20n ? 6_000 : 2 * hourMs);

interface SourceOptions {
  readonly earliest?: bigint;
  /** Errors that replace the usual responses, by method. */
  readonly refuse?: (method: string, params: Record<string, unknown>) => Error | undefined;
}

/** An endpoint with these blocks; any search finds them by their heights. */
const source = (name: string, { earliest = 1n, refuse = () => undefined }: SourceOptions = {}) => {
  const asked: string[] = [];
  const call = (method: string, params: Record<string, unknown>): Promise<unknown> => {
    asked.push(
      method.endsWith('_search') ? `${method} ${String(params['query'])}` : `${method} ${String(params['height'])}`,
    );
    const refusal = refuse(method, params);
    if (refusal !== undefined) return Promise.reject(refusal);
    const height = params['height'] as bigint;
    if (height < earliest)
      return Promise.reject(new HubError({ code: 'height_not_retained', message: 'pruned', transport: 'rpc' }));
    const bounds = [...String(params['query']).matchAll(/height [<>]= (\d+)/g)].map(([, one]) => Number(one));
    const [low = 0, high = 0] = bounds;
    const found = Object.keys(blocks)
      .map(Number)
      .filter((at) => at >= low && at <= high && BigInt(at) >= earliest);
    const answers: Record<string, unknown> = {
      status: {
        nodeInfo: { network: 'hub-test' },
        syncInfo: { earliestBlockHeight: earliest, latestBlockHeight: 29n },
      },
      block_search: {
        totalCount: BigInt(found.length),
        blocks: found.map((at) => ({ block: { header: { height: BigInt(at), time: time(msOf(BigInt(at))) } } })),
      },
      tx_search: { totalCount: 0n, txs: [] },
      block_results: {
        height,
        beginBlockEvents: blocks[Number(height)] ?? [],
        txsResults: [],
        endBlockEvents: [],
        finalizeBlockEvents: [],
      },
      header: { header: { time: time(msOf(height)) } },
    };
    return Promise.resolve(answers[method]);
  };
  const made = {
    name,
    rpc: { call } as unknown as BackfillSource['rpc'],
    naming: () => Promise.resolve(identityNaming),
    requestsPerSecond: 1e6,
  };
  return { source: made, asked };
};

const ledgerAt = (position: bigint) => {
  const ledger = createLedgerStore(temporaryStore());
  ledger.begin(position);
  ledger.starts.watch([nodeAddress], position + 1n);
  return ledger;
};

const run = (
  store: ReturnType<typeof ledgerAt>,
  sources: readonly ReturnType<typeof source>[],
  more: Partial<BackfillOptions> = {},
) =>
  backfill({
    store,
    sources: sources.map((one) => one.source),
    addresses: [nodeAddress],
    limit: 1_000,
    clock: systemClock,
    signal: new AbortController().signal,
    chainId: 'hub-test',
    ...more,
  });

const kept = (store: ReturnType<typeof ledgerAt>) =>
  store.rows().map(({ height, kind, detail }) => [Number(height), kind, detail]);
const all: [number, Entry['kind'], string | undefined][] = [
  [10, 'lease_created', 'always'],
  [11, 'lease_paid', undefined],
  [20, 'lease_ended', 'renewal_failed'],
  [20, 'node_inactive', 'deadline'],
];

test('backfill: an end is recomputed when the start of its lease is found below it', async () => {
  const store = ledgerAt(30n);
  const first = await run(store, [source('own')], { limit: 1 });
  expect(first).toMatchObject({ blocks: 1, rows: 2, stopped: 'it read as many blocks as --limit allows' });
  expect(kept(store)).toEqual([
    [20, 'lease_ended', 'node_inactive'],
    [20, 'node_inactive', 'deadline'],
  ]);
  expect(store.starts.all().get(nodeAddress)).toBe(20n);
  expect(await run(store, [source('own')])).toMatchObject({ blocks: 2, rows: 2, stopped: undefined });
  expect(kept(store)).toEqual(all);
  expect(store.starts.all().get(nodeAddress)).toBe(1n);
});

test('backfill: heights that no endpoint has are a gap only if they were requested, and filled when one has them later', async () => {
  const store = ledgerAt(30n);
  expect(await run(store, [source('own', { earliest: 11n })])).toMatchObject({ gaps: [], rows: 3 });
  expect(store.gaps()).toEqual([]);
  const asked = await run(store, [source('own', { earliest: 11n })], { from: 5n });
  expect(asked).toMatchObject({ gaps: [{ first: 5n, last: 10n }], rows: 0 });
  expect(store.gaps()).toMatchObject([{ first: 5n, last: 10n, isOpen: false }]);
  expect(await run(store, [source('archive')], { from: 5n })).toMatchObject({ gaps: [], rows: 1 });
  expect(store.gaps()).toEqual([]);
  expect(kept(store)).toEqual(all);
});

test('backfill: a found block that no endpoint has any more is a gap, the others are stored', async () => {
  const store = ledgerAt(30n);
  const gone = new HubError({ code: 'height_not_retained', message: 'pruned', transport: 'rpc' });
  const own = source('own', {
    refuse: (method, { height }) => (method === 'block_results' && height === 11n ? gone : undefined),
  });
  expect(await run(store, [own])).toMatchObject({ gaps: [{ first: 11n, last: 11n }], rows: 3, stopped: undefined });
  expect(store.gaps()).toMatchObject([{ first: 11n, last: 11n, isOpen: false }]);
});

test('backfill: an endpoint without an index is not searched; the heights that it alone has are reported', async () => {
  const store = ledgerAt(30n);
  const off = new HubError({ code: 'unimplemented', message: 'block indexing is disabled', transport: 'rpc' });
  const archive = source('archive', { refuse: (method) => (method.endsWith('_search') ? off : undefined) });
  const summary = await run(store, [archive, source('own', { earliest: 11n })]);
  expect(summary).toMatchObject({ rows: 3, isFailure: true, gaps: [] });
  expect(summary.stopped).toContain('block 10 is held by archive alone, without an index of events');
});

test('backfill: an engine that rejects double quotes in a text is queried with CONTAINS and the address', async () => {
  const store = ledgerAt(30n);
  const own = source('own', {
    refuse: (_method, { query }) =>
      String(query).includes(`'"`)
        ? new HubError({ code: 'invalid_argument', message: 'parse error near', transport: 'rpc' })
        : undefined,
  });
  expect(await run(store, [own])).toMatchObject({ rows: 4, stopped: undefined });
  expect(own.asked.filter((line) => line.includes(`'"`))).toHaveLength(1);
  expect(own.asked.filter((line) => line.includes(`CONTAINS '${nodeAddress}'`))).toHaveLength(14);
});

test('backfill: a failure ends the run with its reason, and stored blocks remain', async () => {
  const store = ledgerAt(30n);
  const own = source('own', {
    refuse: (method, { height }) => (method === 'block_results' && height === 10n ? new Error('no sense') : undefined),
  });
  await expect(run(store, [own])).rejects.toThrow('no sense');
  expect(store.starts.all().get(nodeAddress)).toBe(11n);
  const refused = source('own', {
    refuse: () => new HubError({ code: 'invalid_argument', message: 'refused', transport: 'rpc' }),
  });
  await expect(run(store, [refused])).rejects.toThrow('no endpoint can be searched: own: refused');
  await expect(run(store, [])).rejects.toThrow('none with a consensus RPC is configured');
  await expect(run(store, [source('own')], { chainId: 'hub-other' })).rejects.toThrow('own serves hub-test');
});

test('backfill: an empty ledger begins at the head and is filled downwards', async () => {
  const store = createLedgerStore(temporaryStore());
  expect(await run(store, [source('own')])).toMatchObject({ stopped: undefined, isFailure: false });
  expect(store.position()).toBe(29n);
  expect(store.starts.all().get(nodeAddress)).toBe(1n);
  expect(kept(store)).toEqual(all);
});

test('backfill: below an upper bound no subject is marked complete, and a later run stores nothing twice', async () => {
  const store = ledgerAt(30n);
  expect(await run(store, [source('own')], { to: 15n })).toMatchObject({ searched: { first: 1n, last: 15n }, rows: 2 });
  expect(store.starts.all().get(nodeAddress)).toBe(31n);
  expect(await run(store, [source('own')])).toMatchObject({ blocks: 3, rows: 2 });
  expect(kept(store)).toEqual(all);
});

test('backfill: old entries do not increase counters', async () => {
  const store = ledgerAt(30n);
  await run(store, [source('own')]);
  expect([...store.totals.nodeReceived, ...store.totals.leaseEnds, ...store.totals.payouts]).toEqual([]);
});

test('backfill: queries contain the wire event names and both bounds, for each kind of address', () => {
  const [search] = searchesOf(providerAddress);
  if (search === undefined) throw new Error('no search');
  expect(backfillSearch(search, providerAddress, 5n, 9n, identityNaming, true)).toBe(
    `hub.lease.v1.EventPay.prov_address = '"${providerAddress}"' AND block.height >= 5 AND block.height <= 9`,
  );
  const swap = searchesOf('sent1x').find(({ event: name }) => name === 'hub.swap.v1.EventSwap');
  expect(swap).toMatchObject({ method: 'tx_search', attribute: 'receiver' });
  const fees = searchesOf(nodeAddress).find(({ event: name }) => name === 'tx');
  expect(fees && backfillSearch(fees, nodeAddress, 5n, 9n, identityNaming, true)).toBe(
    `tx.fee_payer = '${convertAddress(nodeAddress, 'account')}' AND tx.height >= 5 AND tx.height <= 9`,
  );
  expect(searchesOf('sentvaloper1x')).toEqual([]);
});

test('ledger starts: an address watched later begins later, and one no longer watched begins again', () => {
  const { starts } = createLedgerStore(temporaryStore());
  starts.watch(['a'], 5n);
  starts.watch(['a', 'b'], 9n);
  expect([...starts.all()]).toEqual([
    ['a', 5n],
    ['b', 9n],
  ]);
  starts.watch(['b'], 12n);
  starts.watch(['a', 'b'], 20n);
  expect([...starts.all()]).toEqual([
    ['a', 20n],
    ['b', 9n],
  ]);
});

test('backfill: reads the results of a block larger than a mebibyte', async () => {
  const node = await startLargeNode();
  const connection = connectTo(endpointAt(node.url), 5_000);
  onTestFinished(() => connection.close());
  if (connection.rpc === undefined) throw new Error('no rpc');
  const { rpc } = connection;
  const { source: small } = source('own');
  /** Heights come from the usual responses; blocks are read over the connection. */
  const call = (method: string, ...more: unknown[]) =>
    ((method === 'block_results' ? rpc.call : small.rpc.call) as (...of: unknown[]) => Promise<unknown>)(
      method,
      ...more,
    );
  const store = ledgerAt(19n);
  const large = { asked: [], source: { ...small, rpc: { call } as unknown as BackfillSource['rpc'] } };
  expect(await run(store, [large])).toMatchObject({ blocks: 2, gaps: [], stopped: undefined });
});

import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint, time } from '../../test/fake-endpoint.js';
import { nodeAddress, testParts } from '../../test/parts.js';
import { hubEntries } from './hub-events.js';
import { createLedger } from './ledger.js';
import { createLedgerStore } from './ledger-store.js';

const event = (type: string, values: Record<string, string>) => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), index: true })),
});

const block = (
  height: bigint,
  beginBlockEvents: ReturnType<typeof event>[] = [],
  txEvents: ReturnType<typeof event>[] = [],
) => ({
  height,
  beginBlockEvents,
  txsResults: [
    { code: 0, events: txEvents },
    { code: 5, events: [event('hub.node.v3.EventUpdateStatus', { node_address: nodeAddress, status: 'inactive' })] },
  ],
  endBlockEvents: [],
  finalizeBlockEvents: [],
  validatorUpdates: [],
});

const lapse = [
  event('hub.deposit.v2.EventSubtract', { acc_address: 'a', value: '38885udvpn' }),
  event('hub.lease.v1.EventRefund', { lease_id: '4', prov_address: 'sentprov1x', value: '38885udvpn' }),
  event('hub.lease.v1.EventEnd', { lease_id: '4', node_address: nodeAddress, prov_address: 'sentprov1x' }),
  event('hub.node.v3.EventUpdateStatus', { node_address: nodeAddress, status: 'inactive' }),
];

const blockMs = (height: bigint): number => 1_800_000_000_000 + Number(height) * 6_000;

const ledgerOn = (fake = fakeEndpoint(['rpc'])) => {
  const parts = testParts({ own: fake });
  const make = () => createLedger({ ...parts, store: createLedgerStore(parts.store) }, () => undefined);
  const head = (height: bigint) =>
    parts.pool.report('own', { height, timeMs: 0, catchingUp: false, chainId: 'hub-test' });
  fake.rpc['header'] = ({ height }: { height: bigint }) => ({ header: { time: time(blockMs(height)) } });
  const gaps = () => createLedgerStore(parts.store).gaps();
  return { parts, fake, head, make, gaps };
};

test('hub events: the refund finds its node by the lease, failed transactions and plain events count for nothing', () => {
  const plain = { type: 'hub.lease.v1.EventEnd', attributes: [{ key: 'lease_id', value: 'no json', index: true }] };
  const entries = hubEntries(block(5n, [...lapse, plain]) as never);
  expect(entries.map(({ kind, node, leaseId, amount, denom }) => [kind, node, leaseId, amount, denom])).toEqual([
    ['lease_refunded', nodeAddress, '4', '38885', 'udvpn'],
    ['lease_ended', nodeAddress, '4', undefined, undefined],
    ['node_inactive', nodeAddress, undefined, undefined, undefined],
  ]);
});

test('ledger: begins at the head, reads every block after it once, and knows what a lapse ended', async () => {
  const { parts, fake, head, make } = ledgerOn();
  const asked: bigint[] = [];
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => {
    asked.push(height);
    return block(height, height === 102n ? lapse : []);
  };
  const { job, view } = make();
  head(100n);
  await job?.run(parts.signal);
  head(103n);
  await job?.run(parts.signal);
  expect(asked).toEqual([100n, 101n, 102n, 103n]);
  expect(view.position()).toBe(103n);
  expect(view.lapse(nodeAddress, time(blockMs(102n)))).toEqual({
    height: 102n,
    ended: [{ leaseId: '4', provider: 'sentprov1x', refund: { amount: '38885', denom: 'udvpn' } }],
  });
  expect(view.lapse('sentnode1other', time(blockMs(102n)))).toBeUndefined();
  expect(view.lapse(nodeAddress, time(blockMs(103n)))).toBeUndefined();
});

test('ledger: goes on after a restart where it stopped', async () => {
  const { parts, fake, head, make } = ledgerOn();
  const asked: bigint[] = [];
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => {
    asked.push(height);
    return block(height);
  };
  head(100n);
  await make().job?.run(parts.signal);
  head(102n);
  await make().job?.run(parts.signal);
  expect(asked).toEqual([100n, 101n, 102n]);
});

test('ledger: a block that is not retained becomes a gap, a failure is tried again', async () => {
  const { parts, fake, head, make, gaps } = ledgerOn();
  const gone = new HubError({ code: 'height_not_retained', message: 'pruned', transport: 'rpc' });
  let isDown = true;
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => {
    if (height === 101n) return gone;
    return height === 102n && isDown
      ? new HubError({ code: 'refused', message: 'down', transport: 'rpc' })
      : block(height);
  };
  const { job, view } = make();
  head(100n);
  await job?.run(parts.signal);
  head(103n);
  await job?.run(parts.signal);
  expect(view.position()).toBe(101n);
  expect(gaps()).toMatchObject([{ first: 101n, last: 101n }]);
  expect(view.isCurrent()).toBe(false);
  isDown = false;
  await job?.run(parts.signal);
  expect(view.position()).toBe(103n);
  expect(gaps()).toHaveLength(1);
  expect(view.isCurrent()).toBe(true);
});

test('ledger: results of the head that never come are waited for, those of an older block are left out after a while', async () => {
  const { parts, fake, head, make, gaps } = ledgerOn();
  fake.rpc['block_results'] = ({ height }: { height: bigint }) =>
    height === 101n ? new Error('no results') : block(height);
  const { job, view } = make();
  head(100n);
  await job?.run(parts.signal);
  head(101n);
  for (let round = 0; round < 9; round += 1) await job?.run(parts.signal);
  expect(view.position()).toBe(100n);
  head(102n);
  await job?.run(parts.signal);
  expect(view.position()).toBe(102n);
  expect(gaps()).toMatchObject([{ first: 101n, last: 101n }]);
});

test('ledger: a lapse whose time cannot be had is tried again, then kept without, and answers for no time', async () => {
  const { parts, fake, head, make, gaps } = ledgerOn();
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => block(height, height === 101n ? lapse : []);
  fake.rpc['header'] = new HubError({ code: 'timeout', message: 'late', transport: 'rpc' });
  const { job, view } = make();
  head(100n);
  await job?.run(parts.signal);
  head(102n);
  for (let round = 0; round < 4; round += 1) await job?.run(parts.signal);
  expect(view.position()).toBe(100n);
  await job?.run(parts.signal);
  expect(view.position()).toBe(102n);
  expect(gaps()).toEqual([]);
  expect(parts.store.all('SELECT * FROM ledger WHERE height = 101')).not.toEqual([]);
  expect(view.lapse(nodeAddress, time(blockMs(101n)))).toBeUndefined();
});

test('ledger: without a consensus RPC there is none', () => {
  expect(ledgerOn(fakeEndpoint(['grpc'])).make()).toMatchObject({ job: undefined, view: { isKept: false } });
});

import { convertAddress } from '@hubwatch/client/address';
import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint, time } from '../../test/fake-endpoint.js';
import { nodeAddress, testParts } from '../../test/parts.js';
import type { Entry } from './entry.js';
import { hubEntries } from './hub-events.js';
import { createLedger, watchedAddresses } from './ledger.js';
import { createLedgerStore } from './ledger-store.js';
import { createLedgerTotals } from './totals.js';

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
  const make = () => createLedger({ ...parts, store: createLedgerStore(parts.store) }, { onRound: () => undefined });
  const head = (height: bigint) =>
    parts.pool.report('own', { height, timeMs: 0, catchingUp: false, chainId: 'hub-test' });
  fake.rpc['header'] = ({ height }: { height: bigint }) => ({ header: { time: time(blockMs(height)) } });
  const gaps = () => createLedgerStore(parts.store).gaps();
  return { parts, fake, head, make, gaps };
};

test('hub events: the refund finds its node by the lease; failed transactions and plain events are ignored', () => {
  const plain = { type: 'hub.lease.v1.EventEnd', attributes: [{ key: 'lease_id', value: 'no json', index: true }] };
  const entries = hubEntries(block(5n, [...lapse, plain]) as never);
  expect(
    entries.map(({ kind, node, record, amount, denom, detail }) => [kind, node, record, amount, denom, detail]),
  ).toEqual([
    ['deposit_subtracted', '', '', '38885', 'udvpn', undefined],
    ['lease_refunded', nodeAddress, '4', '38885', 'udvpn', undefined],
    ['lease_ended', nodeAddress, '4', undefined, undefined, 'node_inactive'],
    ['node_inactive', nodeAddress, '', undefined, undefined, 'deadline'],
  ]);
});

test('ledger: begins at the head, reads every later block once, and reports the leases that a lapse ended', async () => {
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
    node: nodeAddress,
    height: 102n,
    blockMs: blockMs(102n),
    cause: 'deadline',
    unlinked: [],
    isBack: false,
    ended: [{ leaseId: '4', provider: 'sentprov1x', refund: { amount: '38885', denom: 'udvpn' } }],
  });
  expect(view.lapse('sentnode1other', time(blockMs(102n)))).toBeUndefined();
  expect(view.lapse(nodeAddress, time(blockMs(103n)))).toBeUndefined();
});

test('ledger: continues after a restart from its last position', async () => {
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

test('ledger: a block that is not retained becomes a gap, a failed read is retried', async () => {
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

test('ledger: reports the height from which no block was missed since the start', async () => {
  const { parts, fake, head, make } = ledgerOn();
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => (height === 102n ? gone : block(height));
  const { job, view } = make();
  expect(view.followed()).toBeUndefined();
  head(100n);
  await job?.run(parts.signal);
  expect(view.followed()).toEqual({ from: 100n, to: 100n });
  head(101n);
  await job?.run(parts.signal);
  expect(view.followed()).toEqual({ from: 100n, to: 101n });
  head(104n);
  await job?.run(parts.signal);
  expect(view.followed()).toEqual({ from: 103n, to: 104n });
  const again = make();
  expect(again.view.followed()).toBeUndefined();
  head(105n);
  await again.job?.run(parts.signal);
  expect(again.view.followed()).toEqual({ from: 105n, to: 105n });
});

test('ledger: results missing at the head are awaited, those of an older block are skipped after a while', async () => {
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

const gone = new HubError({ code: 'height_not_retained', message: 'pruned', transport: 'rpc' });
const down = new HubError({ code: 'refused', message: 'down', transport: 'rpc' });

test('ledger: a gap is closed only if no endpoint has the block, and filled when an endpoint is available again', async () => {
  const own = fakeEndpoint(['rpc']);
  const archive = fakeEndpoint(['rpc']);
  const parts = testParts({ own, archive });
  const tell = (height: bigint): void => {
    for (const name of ['own', 'archive']) {
      parts.pool.report(name, { height, timeMs: 0, catchingUp: false, chainId: 'hub-test' });
    }
  };
  const store = createLedgerStore(parts.store);
  const { job, view } = createLedger({ ...parts, store }, { onRound: () => undefined });
  let isDown = true;
  own.rpc['block_results'] = ({ height }: { height: bigint }) => (height < 103n ? gone : block(height));
  archive.rpc['block_results'] = ({ height }: { height: bigint }) =>
    isDown ? down : height === 101n ? gone : block(height, lapse);
  for (const one of [own, archive]) {
    one.rpc['header'] = ({ height }: { height: bigint }) => ({ header: { time: time(blockMs(height)) } });
  }
  store.begin(100n);
  tell(103n);
  for (let round = 0; round < 12; round += 1) await job?.run(parts.signal);
  expect(view.position()).toBe(103n);
  expect(store.gaps()).toMatchObject([{ first: 101n, last: 102n, isOpen: true }]);
  expect(store.rows()).toEqual([]);
  isDown = false;
  for (let round = 0; round < 8; round += 1) await job?.run(parts.signal);
  expect(store.gaps()).toMatchObject([{ first: 101n, last: 101n, isOpen: false }]);
  expect(store.rows().map(({ height, kind }) => [height, kind])).toEqual([
    [102n, 'lease_refunded'],
    [102n, 'lease_ended'],
    [102n, 'node_inactive'],
  ]);
  expect([...view.totals.leaseEnds]).toEqual([[`${nodeAddress} node_inactive`, 1n]]);
});

test('ledger: a refusal that contains the lowest block closes the whole gap below it at once', async () => {
  const { parts, fake, head, make, gaps } = ledgerOn();
  const asked: bigint[] = [];
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => {
    asked.push(height);
    return height < 25_000n
      ? new HubError({ code: 'height_not_retained', message: 'pruned', transport: 'rpc', lowestHeight: 25_000n })
      : block(height);
  };
  createLedgerStore(parts.store).begin(100n);
  head(25_100n);
  const { job, view } = make();
  for (let round = 0; round < 3; round += 1) await job?.run(parts.signal);
  expect(view.position()).toBe(25_100n);
  expect(asked.slice(0, 3)).toEqual([5_101n, 25_000n, 25_001n]);
  expect(gaps()).toMatchObject([{ first: 101n, last: 24_999n, isOpen: false }]);
});

test('ledger: a payout in either format of block results is one row', () => {
  const pay = event('hub.lease.v1.EventPay', {
    lease_id: '4',
    node_address: nodeAddress,
    prov_address: 'sentprov1x',
    payment: '7200000udvpn',
    staking_reward: '1800000udvpn',
  });
  const row = {
    kind: 'lease_paid',
    node: nodeAddress,
    provider: 'sentprov1x',
    account: '',
    record: '4',
    amount: '7200000',
    stakers: '1800000',
    denom: 'udvpn',
    detail: undefined,
    hours: undefined,
  };
  const empty = {
    height: 1n,
    txsResults: [],
    endBlockEvents: [],
    validatorUpdates: [],
    paramUpdates: undefined,
    appHash: undefined,
  };
  expect(hubEntries({ ...empty, beginBlockEvents: [pay], finalizeBlockEvents: [] })).toEqual([row]);
  expect(hubEntries({ ...empty, beginBlockEvents: [], finalizeBlockEvents: [pay] })).toEqual([row]);
});

test('ledger: a renewed lease keeps its id, and its counters continue', () => {
  const of = (kind: Entry['kind'], amount?: string): Entry => ({
    kind,
    node: nodeAddress,
    provider: 'sentprov1x',
    account: '',
    record: '4',
    amount,
    stakers: amount === undefined ? undefined : '1',
    denom: 'udvpn',
    detail: undefined,
    hours: undefined,
  });
  const totals = createLedgerTotals();
  totals.add([of('lease_paid', '9'), of('lease_renewed')]);
  totals.add([of('lease_paid', '11')]);
  expect([...totals.payouts]).toEqual([['4', 2n]]);
  expect([...totals.nodeReceived]).toEqual([[`${nodeAddress} udvpn lease`, 20n]]);
  expect([...totals.providerPaid]).toEqual([['sentprov1x udvpn', 22n]]);
  totals.add([of('lease_ended')]);
  expect([...totals.payouts]).toEqual([]);
});

test('lease ends: determined by the order of the events; renewals that failed by the earlier policy', () => {
  const { parts } = ledgerOn();
  const store = createLedgerStore(parts.store);
  const lease = (id: string, more: Record<string, string> = {}) => ({
    lease_id: id,
    node_address: nodeAddress,
    ...more,
  });
  const created = ['1', '2', '3'].map((id) =>
    event('hub.lease.v1.EventCreate', lease(id, { renewal_price_policy: id === '3' ? 'unspecified' : 'always' })),
  );
  const end = (id: string) => event('hub.lease.v1.EventEnd', lease(id));
  const updated = event('hub.lease.v1.EventUpdateDetails', lease('2', { renewal_price_policy: 'unspecified' }));
  store.add(10n, hubEntries(block(10n, [], [...created, updated]) as never));
  store.add(11n, hubEntries(block(11n, ['1', '2', '3', '9'].map(end), [end('5')]) as never));
  const inactive = event('hub.provider.v3.EventUpdateStatus', { prov_address: 'sentprov1x', status: 'inactive' });
  const ofProvider = event('hub.lease.v1.EventEnd', lease('6', { prov_address: 'sentprov1x' }));
  store.add(12n, hubEntries(block(12n, [], [ofProvider, inactive]) as never));
  expect(store.rows({ kinds: ['lease_ended'] }).map(({ record, detail }) => [record, detail])).toEqual([
    ['1', 'renewal_failed'],
    ['2', 'term'],
    ['3', 'term'],
    ['9', 'term'],
    ['5', 'cancelled'],
    ['6', 'provider_inactive'],
  ]);
});

const account = 'sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj';

test('hub events: payments, refunds, deposits and swaps of a watched account', async () => {
  const fake = fakeEndpoint(['rpc']);
  const parts = testParts({ own: fake });
  const config = {
    ...parts.config,
    watch: { ...parts.config.watch, nodes: [], providers: [], accounts: [{ address: account }] },
  };
  const plain = (type: string, values: Record<string, string>) => ({
    type,
    attributes: Object.entries(values).map(([key, value]) => ({ key, value, index: true })),
  });
  const swap = (receiver: string) => [
    plain('transfer', { recipient: account, sender: 'sent1mint', amount: '1000000udvpn' }),
    event('hub.swap.v1.EventSwap', { receiver, tx_hash: 'q6s=' }),
  ];
  const of = { acc_address: account, node_address: 'sentnode1other' };
  fake.rpc['block_results'] = ({ height }: { height: bigint }) =>
    block(
      height,
      height < 101n
        ? []
        : [
            event('hub.deposit.v2.EventSubtract', { acc_address: account, value: '40udvpn,2uother' }),
            event('hub.node.v3.EventPay', { ...of, session_id: '7', payment: '32udvpn', staking_reward: '8udvpn' }),
            event('hub.node.v3.EventRefund', { acc_address: account, session_id: '7', value: '60udvpn' }),
            event('hub.node.v3.EventPay', { ...of, acc_address: 'sent1other', session_id: '8', payment: '1udvpn' }),
          ],
      height < 101n
        ? []
        : [
            event('hub.subscription.v3.EventRenew', { acc_address: account, subscription_id: '3' }),
            event('hub.subscription.v3.EventPay', {
              acc_address: account,
              prov_address: 'sentprov1other',
              subscription_id: '3',
              payment: '72udvpn',
              staking_reward: '18udvpn',
            }),
            event('hub.deposit.v2.EventAdd', { acc_address: account, value: '100udvpn' }),
            ...swap(account),
            ...swap('sent1other'),
          ],
    );
  fake.rpc['header'] = ({ height }: { height: bigint }) => ({ header: { time: time(blockMs(height)) } });
  const store = createLedgerStore(parts.store, { isWatched: watchedAddresses(config) });
  const { job, view } = createLedger({ ...parts, config, store }, { onRound: () => undefined });
  for (const height of [100n, 101n]) {
    parts.pool.report('own', { height, timeMs: 0, catchingUp: false, chainId: 'hub-test' });
    await job?.run(parts.signal);
  }
  expect(store.rows().map(({ kind, record, amount, denom }) => [kind, record, amount, denom])).toEqual([
    ['deposit_subtracted', '', '40', 'udvpn'],
    ['deposit_subtracted', '', '2', 'uother'],
    ['session_paid', '7', '32', 'udvpn'],
    ['session_refunded', '7', '60', 'udvpn'],
    ['subscription_renewed', '3', undefined, undefined],
    ['subscription_paid', '3', '72', 'udvpn'],
    ['deposit_added', '', '100', 'udvpn'],
    ['swapped', 'ABAB', '1000000', 'udvpn'],
  ]);
  const { totals } = view;
  expect([...totals.accountPaid]).toEqual([
    [`${account} udvpn session`, 40n],
    [`${account} udvpn subscription`, 90n],
  ]);
  expect([...totals.accountRefunded]).toEqual([[`${account} udvpn`, 60n]]);
  expect([...totals.accountDeposited]).toEqual([[`${account} udvpn`, 100n]]);
  expect([...totals.accountWithdrawn]).toEqual([
    [`${account} udvpn`, 40n],
    [`${account} uother`, 2n],
  ]);
  expect([...totals.accountSwapped]).toEqual([[`${account} udvpn`, 1_000_000n]]);
  expect([...totals.nodeReceived, ...totals.providerReceived]).toEqual([]);
  expect(createLedgerStore(parts.store).totals.accountPaid).toEqual(totals.accountPaid);
});

test('hub events: a swap whose receiver differs from that of the transfer before it has no amount', () => {
  const transfer = {
    type: 'transfer',
    attributes: [
      { key: 'recipient', value: 'sent1a', index: true },
      { key: 'amount', value: '5udvpn', index: true },
    ],
  };
  const swap = event('hub.swap.v1.EventSwap', { receiver: account, tx_hash: 'q6s=' });
  expect(hubEntries(block(5n, [], [transfer, swap]) as never)).toMatchObject([{ kind: 'swapped', amount: undefined }]);
});

const feeOf = (account: string, fee: string) => ({
  type: 'tx',
  attributes: [
    { key: 'fee', value: fee, index: true },
    { key: 'fee_payer', value: account, index: true },
  ],
});

test('ledger: fees are stored with payer and node, also of failed transactions', async () => {
  const { parts, fake, head, make } = ledgerOn();
  const own = convertAddress(nodeAddress, 'account');
  const beat = event('hub.node.v3.EventUpdateStatus', { node_address: nodeAddress, status: 'active' });
  const txsResults = [
    { code: 0, events: [feeOf(own, '100udvpn,7uother'), beat] },
    { code: 11, events: [feeOf(own, '9007199254740993udvpn'), beat] },
    { code: 0, events: [feeOf('sent1granter', '50udvpn'), beat] },
    { code: 0, events: [feeOf('sent1stranger', '3udvpn')] },
    { code: 0, events: [feeOf(own, ''), beat] },
  ];
  fake.rpc['block_results'] = ({ height }: { height: bigint }) => ({ ...block(height, []), txsResults });
  const { job } = make();
  head(100n);
  await job?.run(parts.signal);
  const rows = createLedgerStore(parts.store).rows({ kinds: ['fee_paid'] });
  expect(rows.map(({ account, node, amount, denom }) => [account, node, amount, denom])).toEqual([
    [own, nodeAddress, '100', 'udvpn'],
    [own, nodeAddress, '7', 'uother'],
    [own, nodeAddress, '9007199254740993', 'udvpn'],
    ['sent1granter', nodeAddress, '50', 'udvpn'],
  ]);
});

test('lease ends: a lease that ended at the begin of a block before the lapse of another node ended by its term', () => {
  const other = 'sentnode1other';
  const end = (id: string, node: string) => event('hub.lease.v1.EventEnd', { lease_id: id, node_address: node });
  const inactive = (node: string) => event('hub.node.v3.EventUpdateStatus', { node_address: node, status: 'inactive' });
  const begin = [end('1', nodeAddress), end('2', other), inactive(other), end('3', nodeAddress), inactive(nodeAddress)];
  const ended = hubEntries(block(5n, begin) as never).filter(({ kind }) => kind === 'lease_ended');
  expect(ended.map(({ record, detail }) => [record, detail])).toEqual([
    ['1', 'term'],
    ['2', 'node_inactive'],
    ['3', 'node_inactive'],
  ]);
});

test('ledger: a lapse without a time is retried, then stored without one, and matches no requested time', async () => {
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
  expect(createLedgerStore(parts.store).rows()).toHaveLength(3);
  expect(view.lapse(nodeAddress, time(blockMs(101n)))).toBeUndefined();
});

test('ledger: without a consensus RPC there is no ledger', () => {
  expect(ledgerOn(fakeEndpoint(['grpc'])).make()).toMatchObject({ job: undefined, view: { isKept: false } });
});

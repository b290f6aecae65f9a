import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { ledgerEntry, paidEntry, temporaryLedger } from '../../test/ledger-records.js';
import { nodeAddress, providerAddress, temporaryFolder, temporaryStore } from '../../test/parts.js';
import { migrations } from '../store/migrations.js';
import { openStore } from '../store/store.js';
import type { Entry } from './entry.js';
import { createLedgerStore } from './ledger-store.js';

const hourMs = 3_600_000;

test('ledger store: counters survive a restart although their rows were pruned', () => {
  const store = temporaryStore();
  const first = createLedgerStore(store, { maxRows: 3 });
  for (let height = 1n; height <= 10n; height += 1n) first.add(height, [paidEntry('9007199254740993')], 1_000);
  const sums = [[`${nodeAddress} udvpn lease`, 90_071_992_547_409_930n]];
  expect([...first.totals.nodeReceived]).toEqual(sums);
  const second = createLedgerStore(store);
  expect(second.rows().length).toBeLessThan(6);
  expect([...second.totals.nodeReceived]).toEqual(sums);
  expect([...second.totals.providerPaid]).toEqual([[`${providerAddress} udvpn`, 90_071_992_547_409_940n]]);
  expect([...second.totals.payouts]).toEqual([['4', 10n]]);
});

test('ledger store: a block that could not be written is not counted, and is stored when it arrives again', () => {
  const store = temporaryStore();
  const ledger = createLedgerStore(store);
  ledger.add(1n, [paidEntry('5')], 1_000);
  store.all('PRAGMA query_only = 1');
  for (const failing of [
    () => ledger.add(2n, [paidEntry('7')], 2_000),
    () => ledger.skip({ first: 2n, last: 9n, reason: 'x', isOpen: true }),
    () => ledger.begin(9n),
  ])
    expect(failing).toThrow('the store is read-only');
  expect(ledger.position()).toBe(1n);
  store.all('PRAGMA query_only = 0');
  ledger.add(2n, [paidEntry('7')], 2_000);
  expect([...ledger.totals.nodeReceived]).toEqual([[`${nodeAddress} udvpn lease`, 12n]]);
  expect(ledger.position()).toBe(2n);
});

test('ledger store: sums of rows from an earlier version are exact, beyond the integer range of SQL', () => {
  const file = join(temporaryFolder(), 'hubwatch.db');
  const old = new Libsql(file);
  const before = migrations.findIndex((step) => step.includes('ledger_totals'));
  for (const step of migrations.slice(0, before)) old.exec(step);
  const rows: [string, string, string, string | null][] = [
    ['lease_paid', '4', 'udvpn', '999999999999999999999'],
    ['lease_paid', '4', 'udvpn', '123987654321987654321'],
    ['lease_paid', '5', 'uother', '12'],
    ['lease_ended', '5', '', null],
    ['lease_paid', '6', '', '0'],
  ];
  for (const [at, [kind, record, denom, amount]] of rows.entries()) {
    old
      .prepare(
        'INSERT INTO ledger (height, position, node, kind, record, denom, amount, stakers, provider, detail) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        at,
        nodeAddress,
        kind,
        record,
        denom,
        amount,
        amount === null ? null : '3',
        providerAddress,
        amount === null ? 'term' : null,
      );
  }
  old.exec(`PRAGMA user_version = ${before}`);
  old.close();
  const store = openStore(file);
  const { totals } = createLedgerStore(store);
  expect([...totals.nodeReceived]).toEqual([
    [`${nodeAddress} udvpn lease`, 1_123_987_654_321_987_654_320n],
    [`${nodeAddress} uother lease`, 12n],
  ]);
  expect([...totals.providerPaid]).toEqual([
    [`${providerAddress} udvpn`, 1_123_987_654_321_987_654_326n],
    [`${providerAddress} uother`, 15n],
  ]);
  expect([...totals.leaseEnds]).toEqual([[`${nodeAddress} term`, 1n]]);
  expect([...totals.payouts]).toEqual([
    ['4', 2n],
    ['6', 1n],
  ]);
  store.close();
});

test('ledger store: sums are those of watched subjects, regardless of other addresses in the entry', () => {
  const store = temporaryStore();
  const isWatched = (address: string): boolean => address === providerAddress;
  const ledger = createLedgerStore(store, { isWatched });
  ledger.add(
    1n,
    [paidEntry('8', { node: 'sentnode1other' }), paidEntry('9', { provider: 'sentprov1other', record: '5' })],
    1_000,
  );
  for (const { totals } of [ledger, createLedgerStore(store, { isWatched })]) {
    expect([...totals.nodeReceived]).toEqual([]);
    expect([...totals.providerPaid]).toEqual([[`${providerAddress} udvpn`, 9n]]);
  }
  expect(store.all('SELECT DISTINCT node FROM ledger_totals')).toEqual([{ node: '' }]);
});

test('ledger store: an hour found after the end of its lease counts as income and starts no counter', () => {
  const ledger = temporaryLedger();
  ledger.add(9n, [ledgerEntry('lease_ended', { detail: 'term' })], 9_000);
  ledger.fill(5n, [paidEntry('7')], 5_000);
  expect([...ledger.totals.payouts]).toEqual([]);
  expect([...ledger.totals.nodeReceived]).toEqual([[`${nodeAddress} udvpn lease`, 7n]]);
});

test('ledger store: a block read again for more subjects adds only the missing entries', () => {
  const ledger = temporaryLedger();
  const twice = [paidEntry('7'), paidEntry('7')];
  ledger.add(1n, [paidEntry('7')], 1_000);
  ledger.fill(1n, [...twice, ledgerEntry('node_active', { record: '' })], 1_000);
  ledger.fill(1n, twice, 1_000);
  expect(ledger.rows().map(({ kind, position }) => [kind, position])).toEqual([
    ['lease_paid', 0],
    ['lease_paid', 1],
    ['node_active', 2],
  ]);
  expect([...ledger.totals.nodeReceived.values()]).toEqual([14n]);
});

test('ledger store: only the heartbeat that made the node active is stored, not those that change nothing', () => {
  const ledger = temporaryLedger();
  const status = (kind: Entry['kind']): Entry => ledgerEntry(kind, { record: '', provider: '' });
  for (const [at, kind] of (['active', 'active', 'inactive', 'active', 'active'] as const).entries())
    ledger.add(BigInt(10 + at), [status(`node_${kind}`)], at);
  const kept = (): unknown[] => ledger.rows().map(({ height, kind }) => [Number(height), kind]);
  const told = [
    [10, 'node_active'],
    [12, 'node_inactive'],
    [13, 'node_active'],
  ];
  expect(kept()).toEqual(told);
  expect(ledger.isInactive(nodeAddress)).toBe(false);
  ledger.fill(11n, [status('node_active')], 1);
  expect(kept()).toEqual(told);
  // An older heartbeat makes the first known one a repetition. The other entries stay, and more may be added.
  ledger.add(20n, [status('node_inactive'), status('node_active'), paidEntry('1')], 9);
  ledger.addOld(9n, [status('node_active')], 0, []);
  ledger.fill(20n, [status('node_inactive'), status('node_active'), paidEntry('1'), paidEntry('2')], 9);
  expect(kept()).toEqual([
    [9, 'node_active'],
    ...told.slice(1),
    [20, 'node_inactive'],
    [20, 'node_active'],
    [20, 'lease_paid'],
    [20, 'lease_paid'],
  ]);
});

const ends = (ledger: ReturnType<typeof createLedgerStore>): readonly unknown[] =>
  ledger.rows({ kinds: ['lease_ended'] }).map(({ record, detail }) => [record, detail]);
const lapsed = (record: string): Entry => ledgerEntry('lease_ended', { record, detail: 'node_inactive' });

test('lease ends: a term that is over in the block of its node’s lapse ended the lease, not the lapse', () => {
  const ledger = temporaryLedger();
  const created = (record: string, hours: number, detail = 'unspecified'): Entry =>
    ledgerEntry('lease_created', { record, hours, detail });
  ledger.add(1n, [created('1', 2), created('2', 3), created('3', 2, 'always'), created('5', 1)], 1_000);
  // Lease 5 was renewed for two more hours, which are not over.
  ledger.add(2n, [ledgerEntry('lease_renewed', { record: '5', hours: 2 })], 1_000 + hourMs);
  const block = ['1', '2', '3', '5', '9'].map(lapsed);
  ledger.add(3n, [...block, ledgerEntry('node_inactive', { record: '', provider: '' })], 1_000 + 2 * hourMs);
  expect(ends(ledger)).toEqual([
    ['1', 'term'],
    ['2', 'node_inactive'],
    ['3', 'renewal_failed'],
    ['5', 'node_inactive'],
    ['9', 'node_inactive'],
  ]);
  expect(ledger.lapse(nodeAddress, 1_000 + 2 * hourMs)?.ended.map(({ leaseId }) => leaseId)).toEqual(['2', '5', '9']);
});

test('lease ends: for a lease that began before the ledger, the last paid hour being over ends the term', () => {
  const ledger = temporaryLedger();
  const phase = 1_000;
  // Blocks come every six seconds, so that a payment is up to six seconds late.
  for (const [hour, lateMs] of [5_000, 900, 4_000, 2_500].entries())
    ledger.add(
      BigInt(1 + hour),
      ['1', '2'].map((record) => paidEntry('80', { record })),
      phase + hour * hourMs + lateMs,
    );
  const inactive = ledgerEntry('node_inactive', { record: '', provider: '' });
  const overMs = phase + 4 * hourMs + 900;
  ledger.add(8n, [lapsed('1')], overMs - 1);
  ledger.add(9n, [lapsed('2'), lapsed('3'), inactive], overMs);
  expect(ends(ledger)).toEqual([
    ['1', 'node_inactive'],
    ['2', 'term'],
    ['3', 'node_inactive'],
  ]);
});

test('lease ends: a payment in the block of the lapse, or one that was not read, leaves the lapse as the reason', () => {
  const ledger = temporaryLedger();
  ledger.add(1n, [paidEntry('80'), paidEntry('80', { record: '5' })], 1_000);
  ledger.add(2n, [paidEntry('80'), lapsed('4')], 1_000 + hourMs);
  ledger.skip({ first: 3n, last: 4n, reason: 'pruned', isOpen: false });
  ledger.add(5n, [lapsed('5')], 1_000 + 9 * hourMs);
  // Caught up after a halt: the second hour of lease 6 is over when it is paid, and more may be due.
  ledger.add(6n, [paidEntry('80', { record: '6' })], 9 * hourMs);
  ledger.add(7n, [paidEntry('80', { record: '6' }), lapsed('6')], 12 * hourMs);
  expect(ends(ledger)).toEqual([
    ['4', 'node_inactive'],
    ['5', 'node_inactive'],
    ['6', 'node_inactive'],
  ]);
});

test('lease ends: a lease with an observed renewal counts as renewable, regardless of its policy', () => {
  const ledger = temporaryLedger();
  ledger.add(1n, [ledgerEntry('lease_renewed', { hours: 1 })], 1_000);
  ledger.add(2n, [ledgerEntry('lease_ended', { detail: 'term' })], 1_000 + hourMs);
  expect(ends(ledger)).toEqual([['4', 'renewal_failed']]);
});

test('lease ends: a term that may have been renewed in unread blocks proves nothing', () => {
  const ledger = temporaryLedger();
  ledger.add(1n, [ledgerEntry('lease_created', { hours: 1, detail: 'always' })], 1_000);
  ledger.skip({ first: 2n, last: 3n, reason: 'pruned', isOpen: false });
  ledger.add(9n, [lapsed('4')], 1_000 + 5 * hourMs);
  expect(ends(ledger)).toEqual([['4', 'node_inactive']]);
});

test('ledger store: time bounds include rows of unknown time that lie between', () => {
  const ledger = temporaryLedger();
  for (const [height, ms] of [
    [1n, 1_000],
    [2n, undefined],
    [3n, 3_000],
    [4n, undefined],
    [5n, 5_000],
  ] as const)
    ledger.add(height, [paidEntry('1')], ms);
  const heights = (range: Parameters<typeof ledger.rows>[0]): readonly bigint[] =>
    ledger.rows(range).map(({ height }) => height);
  expect(heights({ sinceMs: 3_000 })).toEqual([2n, 3n, 4n, 5n]);
  expect(heights({ sinceMs: 3_001 })).toEqual([4n, 5n]);
  expect(heights({ untilMs: 3_000 })).toEqual([1n, 2n, 3n, 4n]);
  expect(heights({ sinceMs: 1_500, untilMs: 2_500 })).toEqual([2n]);
  expect(heights({ sinceMs: 9_000 })).toEqual([]);
  expect(heights({ kinds: ['lease_ended'] })).toEqual([]);
});

test('ledger store: the time of the position is that of the latest block with a known time', () => {
  const store = temporaryStore();
  const ledger = createLedgerStore(store);
  expect(ledger.positionMs()).toBeUndefined();
  ledger.add(1n, [paidEntry('1')], 1_000);
  expect(ledger.positionMs()).toBe(1_000);
  ledger.add(2n, []);
  ledger.settle(2_000);
  ledger.add(3n, []);
  ledger.settle();
  expect(createLedgerStore(store).positionMs()).toBe(2_000);
});

test('ledger store: a lease ended by a lapse stays lost for seven days or until its provider leases the node again', () => {
  const store = temporaryStore();
  const ledger = createLedgerStore(store);
  const lapsed = (record: string, provider: string): Entry[] => [
    ledgerEntry('lease_ended', { record, provider, detail: 'node_inactive' }),
    ledgerEntry('node_inactive', { record: '', provider: '' }),
  ];
  const lost = (of = ledger): string[] => of.lostToLapses(nodeAddress).map(({ record }) => record);
  expect(lost()).toEqual([]);
  ledger.add(10n, lapsed('4', 'sentprov1a'), 10 * hourMs);
  ledger.add(11n, [ledgerEntry('node_active', { record: '', provider: '' })], 11 * hourMs);
  ledger.add(12n, [ledgerEntry('lease_ended', { record: '6', provider: 'sentprov1c', detail: 'term' })], 12 * hourMs);
  // A later lapse that ends no lease does not hide the first one.
  ledger.add(13n, [ledgerEntry('node_inactive', { record: '', provider: '' })], 13 * hourMs);
  ledger.add(14n, lapsed('5', 'sentprov1b'), 14 * hourMs);
  expect(lost()).toEqual(['4', '5']);
  expect(lost(createLedgerStore(store))).toEqual(['4', '5']);
  ledger.add(15n, [ledgerEntry('lease_created', { record: '9', provider: 'sentprov1a' })], 15 * hourMs);
  expect(lost()).toEqual(['5']);
  expect(ledger.lostToLapses('sentnode1other')).toEqual([]);
  ledger.add(16n, [paidEntry('1')], (14 + 168) * hourMs + 1);
  expect(lost()).toEqual([]);
});

test('recent ends: leases that ended in the last two days, in chain order', () => {
  const ledger = temporaryLedger();
  ledger.begin(1n);
  ledger.add(10n, [ledgerEntry('lease_ended', { record: '1' })], 1_000);
  ledger.add(
    11n,
    [
      ledgerEntry('lease_ended', { record: '3' }),
      ledgerEntry('lease_paid', { record: '4' }),
      ledgerEntry('lease_ended', { record: '2' }),
    ],
    2_000,
  );
  const records = (): readonly string[] => ledger.recentEnds().map(({ record }) => record);
  expect(records()).toEqual(['1', '3', '2']);
  ledger.add(3_010n, [ledgerEntry('lease_paid', { record: '4' })], 1_001 + 2 * 86_400_000);
  expect(records()).toEqual(['1', '3', '2']);
  ledger.add(3_011n, [ledgerEntry('lease_ended', { record: '4' })], 1_001 + 2 * 86_400_000);
  expect(records()).toEqual(['3', '2', '4']);
});

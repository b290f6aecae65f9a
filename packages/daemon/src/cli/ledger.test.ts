import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerEntry, paidEntry, refundEntry, writtenLedger } from '../../test/ledger-records.js';
import { nodeAddress, providerAddress, temporaryFolder, testConfig } from '../../test/parts.js';
import type { Config } from '../config/schema.js';
import type { Entry } from '../ledger/entry.js';
import { type LedgerArguments, ledgerReport } from './ledger.js';
import { UsageError } from './usage-error.js';

const startMs = Date.parse('2026-11-27T23:00:00Z');
const hourMs = 3_600_000;

const paid = paidEntry('80', { stakers: '20' });

/** A store with a lease of three hours: two were paid before midnight and one after. */
const kept = (): Config => {
  const path = writtenLedger((ledger) => {
    ledger.starts.watch([nodeAddress], 10n);
    ledger.add(10n, [ledgerEntry('lease_created', { hours: 3, detail: 'always' })], startMs);
    ledger.add(11n, [paid], startMs + 1);
    ledger.add(12n, [{ ...paid, denom: 'ibc/"A,8', amount: '9007199254740993' }], startMs + 60_000);
    ledger.skip({ first: 13n, last: 14n, reason: 'pruned', isOpen: false });
    ledger.add(20n, [paid, refundEntry('0'), ledgerEntry('lease_ended', { detail: 'term' })], startMs + 3 * hourMs);
  });
  return withPath(path);
};

const withPath = (path: string): Config => {
  const config = testConfig();
  return { ...config, store: { ...config.store, path } };
};

const report = (config: Config, args: LedgerArguments = {}) => ledgerReport(config, args, startMs + 10 * hourMs);

test('ledger report: sums by day and node, hours expected and received, and heights that were not read', () => {
  expect(
    report(kept())
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' ')),
  ).toEqual([
    'day kind end node denom entries amount stakers',
    `2026-11-27 lease_paid ${nodeAddress} ibc/"A,8 1 9007199254740993 20`,
    `2026-11-27 lease_paid ${nodeAddress} udvpn 1 80 20`,
    `2026-11-28 lease_paid ${nodeAddress} udvpn 1 80 20`,
    `2026-11-28 lease_refunded renewal_failed ${nodeAddress} udvpn 1 0 0`,
    '',
    'In all, in the base unit of each denomination:',
    'kind end denom entries amount stakers',
    'lease_paid ibc/"A,8 1 9007199254740993 20',
    'lease_paid udvpn 2 160 40',
    'lease_refunded renewal_failed udvpn 1 0 0',
    '',
    'Hours of leases whose term began since the ledger did: 3 expected, 3 received.',
    'Kept from height 10 on: five',
    'Read up to height 20. Not read:',
    ' 13 to 14: pruned',
    '',
  ]);
});

test('ledger report: lease hours are judged up to the last block that was read, not the last stored one', () => {
  const config = kept();
  writtenLedger((ledger) => {
    ledger.add(30n, [ledgerEntry('lease_created', { record: '5', hours: 9 })], startMs + 4 * hourMs);
    ledger.add(31n, [], undefined);
    ledger.settle(startMs + 6 * hourMs);
  }, config.store.path);
  const { terms } = JSON.parse(report(config, { format: 'json' }));
  expect(terms.at(-1)).toMatchObject({ lease: '5', expected_hours: 3, received_hours: 0, end: null });
});

test('ledger report: CSV quotes cells if necessary, and uses the requested keys', () => {
  expect(report(kept(), { format: 'csv', by: 'provider' })).toBe(
    [
      'kind,provider,denom,entries,amount,stakers',
      `lease_paid,${providerAddress},"ibc/""A,8",1,9007199254740993,20`,
      `lease_paid,${providerAddress},udvpn,2,160,40`,
      `lease_refunded,${providerAddress},udvpn,1,0,0`,
      '',
    ].join('\r\n'),
  );
});

test('ledger report: JSON keeps every digit as a string', () => {
  const { sums, terms, gaps, position, subjects } = JSON.parse(report(kept(), { format: 'json', since: '2026-11-28' }));
  expect(sums).toEqual([
    {
      day: '2026-11-28',
      kind: 'lease_paid',
      end: '',
      node: nodeAddress,
      denom: 'udvpn',
      entries: 1,
      amount: '80',
      stakers: '20',
    },
    {
      day: '2026-11-28',
      kind: 'lease_refunded',
      end: 'renewal_failed',
      node: nodeAddress,
      denom: 'udvpn',
      entries: 1,
      amount: '0',
      stakers: '0',
    },
  ]);
  expect(terms).toMatchObject([{ lease: '4', expected_hours: 3, received_hours: 3, end: '2026-11-28T02:00:00.000Z' }]);
  expect(gaps).toEqual([{ first: '13', last: '14', reason: 'pruned', is_open: false }]);
  expect(position).toBe('20');
  expect(subjects).toEqual([{ address: nodeAddress, first: '10' }]);
});

test('ledger report: lists entries instead of sums for the requested period', () => {
  const csv = report(kept(), { format: 'csv', entries: true, until: '2026-11-27T23:00:00Z' });
  expect(csv).toBe(
    'height,time,kind,record,node,provider,account,amount,stakers,denom,detail\r\n' +
      `10,2026-11-27T23:00:00.000Z,lease_created,4,${nodeAddress},${providerAddress},,,,,always\r\n`,
  );
  expect(report(kept(), { since: '1h' })).toContain('Nothing is kept of this time.');
});

test('ledger report: refunds by cause, in every format; other ends in between are not mixed up', () => {
  const refunded = (record: string, amount: string, then: Entry): Entry[] => [refundEntry(amount, { record }), then];
  const ended = (record: string, detail: string): Entry => ledgerEntry('lease_ended', { record, detail });
  const path = writtenLedger((ledger) => {
    ledger.add(1n, refunded('1', '70', ledgerEntry('lease_renewed', { record: '1', hours: 9 })), startMs);
    ledger.add(
      2n,
      [
        ...refunded('1', '500', ended('1', 'node_inactive')),
        ...refunded('2', '9007199254740993', ended('2', 'node_inactive')),
        ...refunded('3', '30', ended('3', 'cancelled')),
        ledgerEntry('session_refunded', { record: '3', amount: '8', denom: 'udvpn' }),
        ledgerEntry('session_ended', { record: '3' }),
        refundEntry('6', { record: '9' }),
      ],
      startMs + 2 * hourMs,
    );
  });
  const config = withPath(path);
  const lines = [
    'lease_refunded,cancelled,udvpn,1,30,0',
    'lease_refunded,node_inactive,udvpn,2,9007199254741493,0',
    'lease_refunded,renewed,udvpn,1,70,0',
    'lease_refunded,unknown,udvpn,1,6,0',
    'session_refunded,settled,udvpn,1,8,0',
  ];
  expect(report(config, { format: 'csv', by: 'end' }).split('\r\n').slice(1, -1)).toEqual(lines);
  const text = report(config).replaceAll(/ +/g, ',');
  for (const line of lines) expect(text).toContain(`\n${line}\n`);
  const { sums } = JSON.parse(report(config, { format: 'json', by: 'end' }));
  expect(sums).toContainEqual({
    kind: 'lease_refunded',
    end: 'node_inactive',
    denom: 'udvpn',
    entries: 2,
    amount: '9007199254741493',
    stakers: '0',
  });
  expect(report(config, { format: 'csv', entries: true })).toContain(',500,,udvpn,node_inactive\r\n');
});

test('ledger report: the last day of a period is included completely; years and months are in UTC', () => {
  const only = (args: LedgerArguments): unknown[] =>
    JSON.parse(report(kept(), { format: 'json', by: 'month', ...args })).sums.map(
      (sum: { entries: number }) => sum.entries,
    );
  expect(only({ until: '2026-11-27' })).toEqual([1, 1]);
  expect(only({ since: '2026-11-28', until: '2026-11-28' })).toEqual([1, 1]);
  expect(only({ until: '2026-11-27T00:00:00Z' })).toEqual([]);
  expect(report(kept(), { format: 'csv', by: 'year,month' })).toContain('2026,2026-11,lease_paid,udvpn,2,160,40');
});

test.each<[LedgerArguments, string]>([
  [{ by: 'week' }, '--by: "week"; allowed: year, month, day, kind, end, node, provider, account, denom'],
  [{ since: 'yesterday' }, '--since: "yesterday"; allowed: a day (2026-11-27)'],
  [{ since: '2026-11-28', until: '2026-11-27' }, '--until 2026-11-27 is before --since 2026-11-28'],
])('ledger report: %o is a usage error', (args, message) => {
  expect(() => report(kept(), args)).toThrow(UsageError);
  expect(() => report(kept(), args)).toThrow(message);
});

test('ledger report: a missing store is not created', () => {
  const config = withPath(join(temporaryFolder(), 'none.db'));
  for (let time = 0; time < 2; time += 1)
    expect(() => report(config)).toThrow('none.db does not exist; the daemon makes it when it first runs');
});

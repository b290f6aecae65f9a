import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeAddress, temporaryFolder, testConfig } from '../../test/parts.js';
import type { Config } from '../config/schema.js';
import type { Entry } from '../ledger/hub-events.js';
import { createLedgerStore } from '../ledger/ledger-store.js';
import { openStore } from '../store/store.js';
import { type LedgerArguments, ledgerReport } from './ledger.js';
import { UsageError } from './usage-error.js';

const startMs = Date.parse('2026-11-27T23:00:00Z');
const hourMs = 3_600_000;

const entry = (kind: Entry['kind'], more: Partial<Entry> = {}): Entry => ({
  kind,
  node: nodeAddress,
  provider: 'sentprov1x',
  account: '',
  record: '4',
  amount: undefined,
  stakers: undefined,
  denom: undefined,
  detail: undefined,
  hours: undefined,
  ...more,
});
const paid = entry('lease_paid', { amount: '80', stakers: '20', denom: 'udvpn' });

/** A lease of three hours, of which two were paid before midnight and one after. */
const kept = (): Config => {
  const path = join(temporaryFolder(), 'hubwatch.db');
  const store = openStore(path);
  const ledger = createLedgerStore(store);
  ledger.starts.watch([nodeAddress], 10n);
  ledger.add(10n, [entry('lease_created', { hours: 3, detail: 'always' })], startMs);
  ledger.add(11n, [paid], startMs + 1);
  ledger.add(12n, [{ ...paid, denom: 'ibc/"A,8', amount: '9007199254740993' }], startMs + 60_000);
  ledger.skip({ first: 13n, last: 14n, reason: 'pruned', isOpen: false });
  ledger.add(20n, [paid, entry('lease_ended', { detail: 'term' })], startMs + 3 * hourMs);
  store.close();
  return { ...testConfig(), store: { path } };
};

const report = (config: Config, args: LedgerArguments = {}) => ledgerReport(config, args, startMs + 10 * hourMs);

test('ledger report: sums by day and node, hours expected and received, and what was not read', () => {
  expect(
    report(kept())
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' ')),
  ).toEqual([
    'day kind node denom entries amount stakers',
    `2026-11-27 lease_paid ${nodeAddress} ibc/"A,8 1 9007199254740993 20`,
    `2026-11-27 lease_paid ${nodeAddress} udvpn 1 80 20`,
    `2026-11-28 lease_paid ${nodeAddress} udvpn 1 80 20`,
    '',
    'Hours of leases whose term began since the ledger did: 3 expected, 3 received.',
    'Kept from height 10 on: five',
    'Read up to height 20. Not read:',
    ' 13 to 14: pruned',
    '',
  ]);
});

test('ledger report: hours of a lease are judged up to the last block that was read, not the last that is kept', () => {
  const config = kept();
  const store = openStore(config.store.path);
  const ledger = createLedgerStore(store);
  ledger.add(30n, [entry('lease_created', { record: '5', hours: 9 })], startMs + 4 * hourMs);
  ledger.add(31n, [], undefined);
  ledger.settle(startMs + 6 * hourMs);
  store.close();
  const { terms } = JSON.parse(report(config, { format: 'json' }));
  expect(terms.at(-1)).toMatchObject({ lease: '5', expected_hours: 3, received_hours: 0, end: null });
});

test('ledger report: CSV quotes what needs it, and takes the keys that were asked for', () => {
  expect(report(kept(), { format: 'csv', by: 'provider' })).toBe(
    [
      'kind,provider,denom,entries,amount,stakers',
      'lease_paid,sentprov1x,"ibc/""A,8",1,9007199254740993,20',
      'lease_paid,sentprov1x,udvpn,2,160,40',
      '',
    ].join('\r\n'),
  );
});

test('ledger report: JSON keeps every digit as text', () => {
  const { sums, terms, gaps, position, subjects } = JSON.parse(report(kept(), { format: 'json', since: '2026-11-28' }));
  expect(sums).toEqual([
    {
      day: '2026-11-28',
      kind: 'lease_paid',
      node: nodeAddress,
      denom: 'udvpn',
      entries: 1,
      amount: '80',
      stakers: '20',
    },
  ]);
  expect(terms).toMatchObject([{ lease: '4', expected_hours: 3, received_hours: 3, end: '2026-11-28T02:00:00.000Z' }]);
  expect(gaps).toEqual([{ first: '13', last: '14', reason: 'pruned', is_open: false }]);
  expect(position).toBe('20');
  expect(subjects).toEqual([{ address: nodeAddress, first: '10' }]);
});

test('ledger report: entries instead of sums, of the time that was asked for', () => {
  const csv = report(kept(), { format: 'csv', entries: true, until: '2026-11-27T23:00:00Z' });
  expect(csv).toBe(
    'height,time,kind,record,node,provider,account,amount,stakers,denom,detail\r\n' +
      `10,2026-11-27T23:00:00.000Z,lease_created,4,${nodeAddress},sentprov1x,,,,,always\r\n`,
  );
  expect(report(kept(), { since: '1h' })).toContain('Nothing is kept of this time.');
});

test.each<[LedgerArguments, string]>([
  [{ by: 'week' }, '--by: "week"; allowed: day, kind, node, provider, account, denom'],
  [{ format: 'xml' }, '--format: "xml"; allowed: text, csv, json'],
  [{ since: 'yesterday' }, '--since: "yesterday"; allowed: a day (2026-11-27)'],
  [{ since: '2026-11-28', until: '2026-11-27' }, '--until 2026-11-27 is before --since 2026-11-28'],
])('ledger report: %o is wrong use', (args, message) => {
  expect(() => report(kept(), args)).toThrow(UsageError);
  expect(() => report(kept(), args)).toThrow(message);
});

test('ledger report: a store that is not there is not made', () => {
  const config = { ...testConfig(), store: { path: join(temporaryFolder(), 'none.db') } };
  for (let time = 0; time < 2; time += 1)
    expect(() => report(config)).toThrow('none.db does not exist; the daemon makes it when it first runs');
});

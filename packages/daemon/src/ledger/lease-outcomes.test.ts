import { expect, test } from 'vitest';
import { ledgerEntry } from '../../test/ledger-records.js';
import { temporaryStore } from '../../test/parts.js';
import { createLeaseRecords, type LeaseRecord } from '../store/lease-records.js';
import { createLedgerStore } from './ledger-store.js';

const hourMs = 3_600_000;
const end = ledgerEntry('lease_ended', { detail: 'term' });

/** Record, as read from the chain, of a lease of two hours that began before the ledger. */
const record = (more: Partial<LeaseRecord> = {}): LeaseRecord => ({
  ...{ id: 4n, height: 10n, policy: 'always', startMs: 0, hours: 2 },
  ...more,
});

const endOf = (records: readonly LeaseRecord[], events: (ledger: ReturnType<typeof createLedgerStore>) => void) => {
  const store = temporaryStore();
  createLeaseRecords(store).note(records);
  const ledger = createLedgerStore(store);
  ledger.begin(9n);
  events(ledger);
  return ledger.rows({ kinds: ['lease_ended'] })[0]?.detail;
};

test.each<[string, readonly LeaseRecord[], string]>([
  ['that was to renew: its renewal failed', [record()], 'renewal_failed'],
  ['that was not to: its term', [record({ policy: 'unspecified' })], 'term'],
  ['that was never read: its term', [], 'term'],
  ['of another id: its term', [record({ id: 5n })], 'term'],
  ['that was read after its end, which it cannot have been', [record({ height: 21n })], 'term'],
])('lease outcomes: a lease older than the ledger %s', (_case, records, detail) => {
  expect(endOf(records, (ledger) => ledger.add(20n, [end], 2 * hourMs))).toBe(detail);
});

test('lease outcomes: an event after the record counts, and the record after the event', () => {
  const updated = ledgerEntry('lease_updated', { detail: 'unspecified' });
  const events = (ledger: ReturnType<typeof createLedgerStore>): void => {
    ledger.add(15n, [updated], hourMs);
    ledger.add(20n, [end], 2 * hourMs);
  };
  expect(endOf([record()], events)).toBe('term');
  expect(endOf([record({ height: 16n })], events)).toBe('renewal_failed');
});

test('lease outcomes: the record shows a term that ends in the block of a lapse', () => {
  const lapsed = ledgerEntry('lease_ended', { detail: 'node_inactive' });
  expect(endOf([record()], (ledger) => ledger.add(20n, [lapsed], 2 * hourMs))).toBe('renewal_failed');
  expect(endOf([record()], (ledger) => ledger.add(20n, [lapsed], 2 * hourMs - 1))).toBe('node_inactive');
});

test('lease records: the last one read counts, also after a restart, and an older one changes nothing', () => {
  const store = temporaryStore();
  const first = createLeaseRecords(store);
  first.note([record()]);
  first.note([record({ height: 12n, policy: 'unspecified' })]);
  first.note([record({ height: 11n })]);
  expect(first.known('4')).toMatchObject({ height: 12n, policy: 'unspecified' });
  const second = createLeaseRecords(store);
  second.note([record({ height: 11n, policy: 'if_equal' })]);
  expect(createLeaseRecords(store).known('4')).toMatchObject({ height: 12n, policy: 'unspecified' });
  expect(first.known('no number')).toBeUndefined();
});

import { join } from 'node:path';
import type { Entry } from '../src/ledger/entry.js';
import { createLedgerStore, type LedgerStore } from '../src/ledger/ledger-store.js';
import { openStore } from '../src/store/store.js';
import { nodeAddress, providerAddress, temporaryFolder, temporaryStore } from './parts.js';

/** A ledger entry; by default of lease 4 on the watched node, without an amount. */
export const ledgerEntry = (kind: Entry['kind'], more: Partial<Entry> = {}): Entry => ({
  kind,
  node: nodeAddress,
  provider: providerAddress,
  account: '',
  record: '4',
  amount: undefined,
  stakers: undefined,
  denom: undefined,
  detail: undefined,
  hours: undefined,
  ...more,
});

/** A paid hour of that lease. */
export const paidEntry = (amount: string, more: Partial<Entry> = {}): Entry =>
  ledgerEntry('lease_paid', { amount, stakers: '1', denom: 'udvpn', ...more });

/** The refund of a lease. */
export const refundEntry = (amount: string, more: Partial<Entry> = {}): Entry =>
  ledgerEntry('lease_refunded', { amount, denom: 'udvpn', ...more });

/** A ledger in a store that is removed after the test. */
export const temporaryLedger = (): LedgerStore => createLedgerStore(temporaryStore());

/** Writes entries to the ledger of a store's file, as the daemon does, and closes it. @returns the file */
export const writtenLedger = (
  fill: (ledger: LedgerStore) => void,
  path: string = join(temporaryFolder(), 'hubwatch.db'),
): string => {
  const store = openStore(path);
  fill(createLedgerStore(store));
  store.close();
  return path;
};

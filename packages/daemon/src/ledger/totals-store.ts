import type { Row, Store } from '../store/store.js';
import type { Entry, EntryKind } from './entry.js';
import { createLedgerTotals, type KindTotal, type LeasePayouts, type LedgerTotals } from './totals.js';

export interface TotalsStore {
  /** Writes the sums for a block. Must run after its rows are stored, in the same transaction. */
  keep(entries: readonly Entry[], height: bigint): void;
  /** Removes data that depends on pruned entries: sums of addresses that are not watched, and leases whose end was missed. */
  dropPruned(): void;
  /** Adds the sums that `keep` wrote to the totals, after the commit. */
  count(entries: readonly Entry[], height: bigint): void;
  /** Sums over all entries ever stored, of currently watched subjects. */
  readonly totals: LedgerTotals;
}

/**
 * Stores sums separately from the rows. They remain when old rows are pruned, so that a counter never decreases.
 * @param isWatched selects the addresses with sums; unlimited, there would be as many sums as the chain has clients
 */
export const createTotalsStore = (store: Store, isWatched: (address: string) => boolean): TotalsStore => {
  const totals = createLedgerTotals(
    isWatched,
    store.all('SELECT * FROM ledger_totals').map(totalOf),
    store.all('SELECT * FROM ledger_payouts').map(payoutsOf),
  );
  const watched = (address: string): string => (isWatched(address) ? address : '');
  const grow = ({ kind, node, provider, account, denom, detail, amount, stakers }: Entry): void => {
    const key = [
      kind,
      watched(node),
      watched(provider),
      watched(account),
      denom ?? '',
      kind === 'lease_ended' ? (detail ?? '') : '',
    ];
    const before = store
      .all(
        'SELECT * FROM ledger_totals WHERE kind = ? AND node = ? AND provider = ? AND account = ? AND denom = ? AND detail = ?',
        ...key,
      )
      .map(totalOf)[0];
    store.run(
      `INSERT OR REPLACE INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...key,
      Number(before?.entries ?? 0n) + 1,
      String((before?.amount ?? 0n) + BigInt(amount ?? '0')),
      String((before?.stakers ?? 0n) + BigInt(stakers ?? '0')),
    );
  };
  /** Whether the lease already ended: an hour found later has no counter to continue. */
  const isOver = (record: string, height: bigint): boolean =>
    store.all("SELECT 1 FROM ledger WHERE record = ? AND kind = 'lease_ended' AND height > ?", record, Number(height))
      .length > 0;
  const countPayout = ({ kind, record, node, provider }: Entry, height: bigint): void => {
    if (kind === 'lease_ended') store.run('DELETE FROM ledger_payouts WHERE lease = ?', record);
    if (kind !== 'lease_paid' || isOver(record, height)) return;
    store.run(
      `INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES (?, ?, ?, 1)
       ON CONFLICT (lease) DO UPDATE SET payouts = payouts + 1`,
      record,
      node,
      provider,
    );
  };
  /** Position at which the next examination starts. */
  let examined = 0;
  return {
    totals,
    keep(entries, height) {
      for (const entry of entries) {
        grow(entry);
        countPayout(entry, height);
      }
    },
    dropPruned() {
      store.run('DELETE FROM ledger_payouts WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE record = lease)');
      const all = strays(isWatched, store);
      if (examined >= all.length) examined = 0;
      for (const row of all.slice(examined, examined + examinedAtOnce)) dropUnlessKept(store, row);
      examined += examinedAtOnce;
    },
    count: (entries, height) => totals.add(entries, (record) => isOver(record, height)),
  };
};

/** Number of sums examined in one step; each may require a scan of the entries. */
const examinedAtOnce = 20;

/** Sums whose addresses are all no longer watched. */
const strays = (isWatched: (address: string) => boolean, store: Store): readonly KindTotal[] =>
  store
    .all('SELECT * FROM ledger_totals')
    .map(totalOf)
    .filter(({ node, provider, account }) => {
      const addresses = [node, provider, account].filter((address) => address !== '');
      return addresses.length > 0 && !addresses.some(isWatched);
    });

const dropUnlessKept = (store: Store, { kind, node, provider, account }: KindTotal): void =>
  store.run(
    `DELETE FROM ledger_totals WHERE kind = ?1 AND node = ?2 AND provider = ?3 AND account = ?4 AND NOT EXISTS (
       SELECT 1 FROM ledger
       WHERE kind = ?1 AND (?2 = '' OR node = ?2) AND (?3 = '' OR provider = ?3) AND (?4 = '' OR account = ?4)
     )`,
    ...[kind, node, provider, account],
  );

const totalOf = (row: Row): KindTotal => ({
  kind: row['kind'] as EntryKind,
  node: String(row['node']),
  provider: String(row['provider']),
  account: String(row['account']),
  denom: String(row['denom']),
  detail: String(row['detail']),
  entries: BigInt(String(row['entries'])),
  amount: BigInt(String(row['amount'])),
  stakers: BigInt(String(row['stakers'])),
});

const payoutsOf = (row: Row): LeasePayouts => ({
  lease: String(row['lease']),
  node: String(row['node']),
  provider: String(row['provider']),
  payouts: BigInt(String(row['payouts'])),
});

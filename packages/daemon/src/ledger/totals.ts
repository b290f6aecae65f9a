import type { Entry, EntryKind } from './entry.js';

/** Source of a subject's income. */
export type TotalsSource = 'lease' | 'session' | 'subscription';

/** Sum of entries with equal kind, addresses, denomination and detail. */
export interface KindTotal extends Pick<Entry, 'kind' | 'node' | 'provider' | 'account' | 'denom' | 'detail'> {
  readonly entries: bigint;
  readonly amount: bigint;
  readonly stakers: bigint;
}

/** Hours paid of a lease that has not ended. */
export interface LeasePayouts {
  readonly lease: string;
  readonly node: string;
  readonly provider: string;
  readonly payouts: bigint;
}

type Sums = Map<string, bigint>;

/** Exact sums over the stored entries. Keys are the label values, joined by spaces. */
export interface LedgerTotals {
  /** @param isOver whether a lease has ended since */
  add(entries: readonly Entry[], isOver?: (lease: string) => boolean): void;
  /** Payouts of leases that have not ended. */
  readonly payouts: ReadonlyMap<string, bigint>;
  /** Ends of leases by reason. */
  readonly ends: ReadonlyMap<string, bigint>;
  /** Lease ends by node and reason. */
  readonly leaseEnds: ReadonlyMap<string, bigint>;
  /** Sessions by node. */
  readonly sessionsStarted: ReadonlyMap<string, bigint>;
  readonly sessionsEnded: ReadonlyMap<string, bigint>;
  /** Income of nodes, by node, denomination and source. */
  readonly nodeReceived: ReadonlyMap<string, bigint>;
  /** Refunds to providers and clients from leases and sessions on nodes, by node, denomination and source. */
  readonly nodeRefunded: ReadonlyMap<string, bigint>;
  /** Income of providers from subscriptions, by provider and denomination. */
  readonly providerReceived: ReadonlyMap<string, bigint>;
  /** Payments of providers for lease hours, stakers' share included, by provider and denomination. */
  readonly providerPaid: ReadonlyMap<string, bigint>;
  /** Refunds to providers from their deposits, by provider and denomination. */
  readonly providerRefunded: ReadonlyMap<string, bigint>;
  /** Payments of accounts as clients, stakers' share included, by account, denomination and source. */
  readonly accountPaid: ReadonlyMap<string, bigint>;
  /** Refunds to accounts from sessions, by account and denomination. */
  readonly accountRefunded: ReadonlyMap<string, bigint>;
  /** Additions to and withdrawals from deposits of accounts, by account and denomination. */
  readonly accountDeposited: ReadonlyMap<string, bigint>;
  readonly accountWithdrawn: ReadonlyMap<string, bigint>;
  /** Amounts that accounts received from swaps, by account and denomination. */
  readonly accountSwapped: ReadonlyMap<string, bigint>;
}

/**
 * @param isWatched addresses with their own sums
 * @param kept sums of entries stored before
 */
export const createLedgerTotals = (
  isWatched: (address: string) => boolean = () => true,
  kept: readonly KindTotal[] = [],
  payouts: readonly LeasePayouts[] = [],
): LedgerTotals => {
  const sums = {
    payouts: new Map<string, bigint>(),
    ends: new Map<string, bigint>(),
    leaseEnds: new Map<string, bigint>(),
    sessionsStarted: new Map<string, bigint>(),
    sessionsEnded: new Map<string, bigint>(),
    nodeReceived: new Map<string, bigint>(),
    nodeRefunded: new Map<string, bigint>(),
    providerReceived: new Map<string, bigint>(),
    providerPaid: new Map<string, bigint>(),
    providerRefunded: new Map<string, bigint>(),
    accountPaid: new Map<string, bigint>(),
    accountRefunded: new Map<string, bigint>(),
    accountDeposited: new Map<string, bigint>(),
    accountWithdrawn: new Map<string, bigint>(),
    accountSwapped: new Map<string, bigint>(),
  };
  const grow = (into: Sums, subject: string, labels: readonly string[], by: bigint): void => {
    if (subject === '' || !isWatched(subject)) return;
    const key = [subject, ...labels].join(' ');
    into.set(key, (into.get(key) ?? 0n) + by);
  };
  /** A payment of a lease without a price has no denomination, so there is nothing to sum up. */
  const money = (into: Sums, subject: string, { denom }: KindTotal, amount: bigint, ...more: TotalsSource[]): void => {
    if (denom !== undefined && denom !== '') grow(into, subject, [denom, ...more], amount);
  };
  const take: Partial<Record<EntryKind, (total: KindTotal) => void>> = {
    lease_paid(total) {
      money(sums.nodeReceived, total.node, total, total.amount, 'lease');
      money(sums.providerPaid, total.provider, total, total.amount + total.stakers);
    },
    lease_refunded(total) {
      money(sums.nodeRefunded, total.node, total, total.amount, 'lease');
      money(sums.providerRefunded, total.provider, total, total.amount);
    },
    lease_ended({ node, detail, entries }) {
      const reason = detail ?? '';
      sums.ends.set(reason, (sums.ends.get(reason) ?? 0n) + entries);
      grow(sums.leaseEnds, node, [reason], entries);
    },
    session_started: ({ node, entries }) => grow(sums.sessionsStarted, node, [], entries),
    session_ended: ({ node, entries }) => grow(sums.sessionsEnded, node, [], entries),
    session_paid(total) {
      money(sums.nodeReceived, total.node, total, total.amount, 'session');
      money(sums.accountPaid, total.account, total, total.amount + total.stakers, 'session');
    },
    session_refunded(total) {
      money(sums.nodeRefunded, total.node, total, total.amount, 'session');
      money(sums.accountRefunded, total.account, total, total.amount);
    },
    subscription_paid(total) {
      money(sums.providerReceived, total.provider, total, total.amount);
      money(sums.accountPaid, total.account, total, total.amount + total.stakers, 'subscription');
    },
    deposit_added: (total) => money(sums.accountDeposited, total.account, total, total.amount),
    deposit_subtracted: (total) => money(sums.accountWithdrawn, total.account, total, total.amount),
    swapped: (total) => money(sums.accountSwapped, total.account, total, total.amount),
  };
  for (const total of kept) take[total.kind]?.(total);
  for (const { lease, node, provider, payouts: count } of payouts)
    if (isWatched(node) || isWatched(provider)) sums.payouts.set(lease, count);
  return {
    ...sums,
    add(entries, isOver = () => false) {
      for (const entry of entries) {
        const { record, amount, stakers } = entry;
        take[entry.kind]?.({ ...entry, entries: 1n, amount: BigInt(amount ?? '0'), stakers: BigInt(stakers ?? '0') });
        if (entry.kind === 'lease_paid' && !isOver(record))
          sums.payouts.set(record, (sums.payouts.get(record) ?? 0n) + 1n);
        if (entry.kind === 'lease_ended') sums.payouts.delete(record);
      }
    },
  };
};

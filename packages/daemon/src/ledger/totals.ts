import type { Entry, EntryKind } from './hub-events.js';

/** Where money that a subject got came from. */
export type Source = 'lease' | 'session' | 'subscription';

/** Sums over what is kept, exact. Keys are the label values, joined by blanks. */
export interface LedgerTotals {
  add(entries: readonly Entry[]): void;
  /** Payouts of leases that have not ended. */
  readonly payouts: ReadonlyMap<string, bigint>;
  /** Lease ends by node and reason. */
  readonly leaseEnds: ReadonlyMap<string, bigint>;
  /** Sessions by node. */
  readonly sessionsStarted: ReadonlyMap<string, bigint>;
  readonly sessionsEnded: ReadonlyMap<string, bigint>;
  /** What nodes got, by node, denomination and source. */
  readonly nodeReceived: ReadonlyMap<string, bigint>;
  /** What providers got for subscriptions, by provider and denomination. */
  readonly providerReceived: ReadonlyMap<string, bigint>;
  /** What providers paid for lease hours, stakers included, by provider and denomination. */
  readonly providerPaid: ReadonlyMap<string, bigint>;
  /** What providers got back from their deposits, by provider and denomination. */
  readonly providerRefunded: ReadonlyMap<string, bigint>;
}

export const createLedgerTotals = (kept: readonly Entry[]): LedgerTotals => {
  const sums = {
    payouts: new Map<string, bigint>(),
    leaseEnds: new Map<string, bigint>(),
    sessionsStarted: new Map<string, bigint>(),
    sessionsEnded: new Map<string, bigint>(),
    nodeReceived: new Map<string, bigint>(),
    providerReceived: new Map<string, bigint>(),
    providerPaid: new Map<string, bigint>(),
    providerRefunded: new Map<string, bigint>(),
  };
  const take: Partial<Record<EntryKind, (entry: Entry) => void>> = {
    lease_paid(entry) {
      count(sums.payouts, [entry.record]);
      grow(sums.nodeReceived, [entry.node, entry.denom, 'lease'], entry.amount);
      grow(sums.providerPaid, [entry.provider, entry.denom], entry.amount);
      grow(sums.providerPaid, [entry.provider, entry.denom], entry.stakers);
    },
    lease_refunded: ({ provider, denom, amount }) => grow(sums.providerRefunded, [provider, denom], amount),
    lease_ended({ node, detail, record }) {
      count(sums.leaseEnds, [node, detail ?? '']);
      sums.payouts.delete(record);
    },
    session_started: ({ node }) => count(sums.sessionsStarted, [node]),
    session_ended: ({ node }) => count(sums.sessionsEnded, [node]),
    session_paid: ({ node, denom, amount }) => grow(sums.nodeReceived, [node, denom, 'session'], amount),
    subscription_paid: ({ provider, denom, amount }) => grow(sums.providerReceived, [provider, denom], amount),
  };
  const add = (entries: readonly Entry[]): void => {
    for (const entry of entries) take[entry.kind]?.(entry);
  };
  add(kept);
  return { ...sums, add };
};

const grow = (sums: Map<string, bigint>, labels: readonly (string | undefined)[], amount: string | undefined): void => {
  // A payment of a lease without a price has no denomination; there is nothing to sum up.
  if (amount === undefined || labels.some((label) => label === undefined || label === '')) return;
  const key = labels.join(' ');
  sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount));
};

const count = (sums: Map<string, bigint>, labels: readonly string[]): void => grow(sums, labels, '1');

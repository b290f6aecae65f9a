import type { LedgerRow } from './ledger-row.js';

const hourMs = 3_600_000;

/** One term of a lease: the hours due until a moment, and the hours paid. */
export interface LeaseTerm {
  readonly lease: string;
  readonly node: string;
  readonly provider: string;
  /** Block time of the start or renewal, milliseconds since 1970. */
  readonly startMs: number;
  /** Block time of the end or of the next renewal; absent while it runs. */
  readonly endMs: number | undefined;
  /** Hours that were due, each paid in advance. */
  readonly expected: number;
  readonly received: number;
}

/** Kinds of entries that determine the terms of leases. */
export const termKinds = ['lease_created', 'lease_renewed', 'lease_paid', 'lease_ended'] as const;

/**
 * Compares the hours of each term with its payouts; hour k is due at `start_at` + k hours. Terms that began before the ledger
 * are left out, because their earlier payouts are unknown.
 * @param rows in the order of the chain @param nowMs block time up to which they were read
 */
export const leaseTermsOf = (rows: readonly LedgerRow[], nowMs: number): readonly LeaseTerm[] => {
  const terms: LeaseTerm[] = [];
  const open = new Map<string, { readonly start: LedgerRow; readonly startMs: number; received: number }>();
  const close = ({ record }: LedgerRow, endMs: number | undefined): void => {
    const term = open.get(record);
    if (term === undefined) return;
    open.delete(record);
    const { start, startMs, received } = term;
    const { node, provider, hours } = start;
    const expected = dueHours(start.kind === 'lease_created', (endMs ?? nowMs) - startMs, hours ?? 0);
    terms.push({ lease: record, node, provider, startMs, endMs, expected, received });
  };
  for (const row of rows) {
    const { kind, record, blockMs } = row;
    if (kind === 'lease_paid') {
      const term = open.get(record);
      if (term !== undefined) term.received += 1;
    } else if (kind === 'lease_ended') {
      close(row, blockMs ?? nowMs);
    } else if (kind === 'lease_created' || kind === 'lease_renewed') {
      close(row, blockMs ?? nowMs);
      if (blockMs !== undefined) open.set(record, { start: row, startMs: blockMs, received: 0 });
    }
  }
  for (const { start } of [...open.values()]) close(start, undefined);
  return terms;
};

/** Hours due at a given age. The first is paid in the block after the message that starts the lease. */
const dueHours = (isCreated: boolean, ageMs: number, hours: number): number =>
  isCreated && ageMs === 0 ? 0 : Math.min(hours, Math.floor(ageMs / hourMs) + 1);

import type { EntryKind } from './entry.js';
import type { LeaseEnd } from './lease-ends.js';
import type { LedgerRow } from './ledger-row.js';

/** Why a refund was paid: the end of a lease, the start of a new term by renewal, or the settlement of a session. */
export type RefundEnd = LeaseEnd | 'renewed' | 'settled' | 'unknown';

/**
 * Finds the reason of each refund: the chain emits the end or the renewal of the same record right after it, in the
 * same block.
 * @param rows in chain order, whole blocks @source proto/spec/events.yaml, emitted
 */
export const endsOfRefunds = (rows: readonly LedgerRow[]): ReadonlyMap<LedgerRow, RefundEnd> => {
  const ends = new Map<LedgerRow, RefundEnd>();
  /** Reason given by the nearest later row of the block, by record; the block is processed backwards. */
  const next = new Map<string, RefundEnd>();
  let height: bigint | undefined;
  for (const row of rows.filter(({ kind }) => concerned.has(kind)).toReversed()) {
    if (row.height !== height) next.clear();
    height = row.height;
    const end = endOf(row);
    if (end !== undefined) next.set(keyOf(row), end);
    else if (row.kind === 'lease_refunded' || row.kind === 'session_refunded')
      ends.set(row, next.get(keyOf(row)) ?? 'unknown');
  }
  return ends;
};

/** Relevant kinds; most rows are paid hours and fees. */
const concerned: ReadonlySet<EntryKind> = new Set([
  'lease_refunded',
  'lease_ended',
  'lease_renewed',
  'session_refunded',
  'session_ended',
]);

const endOf = ({ kind, detail }: LedgerRow): RefundEnd | undefined => {
  if (kind === 'lease_ended') return (detail ?? 'unknown') as RefundEnd;
  if (kind === 'lease_renewed') return 'renewed';
  return kind === 'session_ended' ? 'settled' : undefined;
};

/** Leases and sessions have separate id sequences. */
const keyOf = ({ kind, record }: LedgerRow): string => `${kind.replace(/_.*/, '')} ${record}`;

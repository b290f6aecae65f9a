import { createLeaseRecords } from '../store/lease-records.js';
import type { Store } from '../store/store.js';
import type { Entry } from './entry.js';
import type { LeaseEnd } from './lease-ends.js';
import type { LedgerGaps } from './ledger-gaps.js';

const hourMs = 3_600_000;
/** Number of payments read to determine the block in which hours of a lease begin. */
const hoursLookedAt = 24;

/** Determines how a lease ended, from stored entries and its last record. */
export interface LeaseOutcomes {
  told(entry: Entry, height: bigint, blockMs: number | undefined): Entry;
  /** Recomputes stored ends after older events of their leases were found. */
  retell(leases: Iterable<string>): void;
}

/**
 * Two facts do not follow from the order of events. If the term ends in the block in which the node lapses, the lease ends
 * by its term, because the chain handles leases before nodes. If the policy allows renewal, a lease that ends at its term was
 * not renewed because a precondition failed.
 */
export const createLeaseOutcomes = (store: Store, gaps: LedgerGaps): LeaseOutcomes => {
  const last = (record: string, kinds: string, height: bigint) =>
    store.all(
      `SELECT kind, height, block_ms, hours, detail FROM ledger WHERE record = ? AND kind IN (${kinds}) AND height <= ?
       ORDER BY height DESC, position DESC LIMIT 1`,
      record,
      Number(height),
    )[0];
  const records = createLeaseRecords(store);
  /** The record of the lease, if it was read after its last stored event. */
  const recordAfter = (record: string, told: ReturnType<typeof last>, height: bigint) => {
    const read = records.known(record);
    const toldAt = BigInt(Number(told?.['height'] ?? 0));
    const isNewer = read !== undefined && read.height <= height && read.height >= toldAt;
    return isNewer ? read : undefined;
  };
  const isTermOver = (record: string, height: bigint, blockMs: number): boolean => {
    const start = last(record, "'lease_created', 'lease_renewed'", height);
    const read = recordAfter(record, start, height);
    if (read !== undefined && !gaps.touch(read.height, height)) return read.startMs + read.hours * hourMs <= blockMs;
    if (typeof start?.['block_ms'] !== 'number' || typeof start['hours'] !== 'number')
      return isLastHourOver(record, height, blockMs);
    // A renewal may be in a block that was not read.
    if (gaps.touch(BigInt(String(start['height'])), height)) return false;
    return start['block_ms'] + start['hours'] * hourMs <= blockMs;
  };
  /**
   * For a lease that began before the ledger. Hours are paid one after another, each in the first block at or after its
   * begin. An hour that begins in the block of a lapse is still paid in it. So if the last paid hour is over and no
   * other is paid, no hour was left to pay.
   */
  const isLastHourOver = (record: string, height: bigint, blockMs: number): boolean => {
    const paid = store
      .all(
        `SELECT height, block_ms FROM ledger WHERE record = ? AND kind = 'lease_paid' AND height <= ?
         ORDER BY height DESC, position DESC LIMIT ${hoursLookedAt}`,
        record,
        Number(height),
      )
      .map((row) => ({ height: BigInt(String(row['height'])), ms: row['block_ms'] }));
    // After a chain halt, missed hours are paid block by block: more may have been due.
    if (paid[0]?.height === height) return false;
    // A payment that was not read would shift the earlier ones by an hour.
    const known = paid.filter((one) => !gaps.touch(one.height, height));
    const ends = known.flatMap(({ ms }, hours) => (typeof ms === 'number' ? [ms + (hours + 1) * hourMs] : []));
    return ends.length > 0 && Math.min(...ends) <= blockMs;
  };
  /** A lease that was renewed had a policy that allows renewal. */
  const wasToRenew = (record: string, height: bigint): boolean => {
    const told = last(record, "'lease_created', 'lease_updated', 'lease_renewed'", height);
    const read = recordAfter(record, told, height);
    if (read !== undefined) return read.policy !== 'unspecified';
    if (told?.['kind'] === 'lease_renewed') return true;
    const policy = told?.['detail'];
    return typeof policy === 'string' && policy !== 'unspecified';
  };
  const reasonOf = (
    record: string,
    reason: string | undefined,
    height: bigint,
    blockMs: number | undefined,
  ): string | undefined => {
    const isOver =
      reason === 'term' ||
      reason === 'renewal_failed' ||
      (blockMs !== undefined && isTermOver(record, height, blockMs));
    if (!isOver) return reason;
    const over: LeaseEnd = wasToRenew(record, height) ? 'renewal_failed' : 'term';
    return over;
  };
  return {
    told: (entry, height, blockMs) =>
      entry.kind === 'lease_ended'
        ? { ...entry, detail: reasonOf(entry.record, entry.detail, height, blockMs) }
        : entry,
    retell(leases) {
      for (const lease of new Set(leases)) {
        const ends = store.all(
          "SELECT height, position, detail, block_ms FROM ledger WHERE record = ? AND kind = 'lease_ended'",
          lease,
        );
        for (const { height, position, detail, block_ms: ms } of ends) {
          const before = typeof detail === 'string' ? detail : undefined;
          const told = reasonOf(lease, before, BigInt(String(height)), typeof ms === 'number' ? ms : undefined);
          if (told !== undefined && told !== before)
            store.run(
              'UPDATE ledger SET detail = ? WHERE height = ? AND position = ?',
              told,
              Number(height),
              Number(position),
            );
        }
      }
    },
  };
};

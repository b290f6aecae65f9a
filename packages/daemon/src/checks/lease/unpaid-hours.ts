import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { leaseTerms } from '../../forecast/lease-terms.js';
import { msOf } from '../times.js';

/** An hour that was due and not paid, and the height at which this was first seen. */
export interface UnpaidHour {
  /** Number of paid hours and start of the term. The hour is the same as long as both are unchanged. */
  readonly hours: bigint;
  readonly startMs: number;
  readonly height: bigint;
}

/** By lease id. */
export type UnpaidHours = ReadonlyMap<bigint, UnpaidHour>;

/**
 * Hours that are due and unpaid, each with the height since when. The chain pays at most one hour of a lease per block. After
 * a halt it pays the missed hours in consecutive blocks, so each of these blocks shows a different unpaid hour.
 */
export const unpaidHours = (
  leases: readonly Lease[],
  height: bigint | undefined,
  headMs: number | undefined,
  before: UnpaidHours | undefined,
): UnpaidHours => {
  const unpaid = new Map<bigint, UnpaidHour>();
  if (height === undefined || headMs === undefined) return unpaid;
  for (const lease of leases) {
    const { id, hours, startAt } = lease;
    const dueAt = leaseTerms(lease)?.nextPayoutAt;
    if (startAt === undefined || dueAt === undefined || msOf(dueAt) > headMs) continue;
    const seen = before?.get(id);
    const startMs = msOf(startAt);
    const isSame = seen?.hours === hours && seen.startMs === startMs && seen.height <= height;
    unpaid.set(id, isSame ? seen : { hours, startMs, height });
  }
  return unpaid;
};

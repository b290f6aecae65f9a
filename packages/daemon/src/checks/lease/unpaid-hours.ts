import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { leaseTerms } from '../../forecast/lease-terms.js';
import { msOf } from '../times.js';

/** An hour that was due and not paid, and the height at which that was first seen. */
export interface UnpaidHour {
  /** Hours of the term that are paid, and the start of the term: while both stand, it is the same hour. */
  readonly hours: bigint;
  readonly startMs: number;
  readonly height: bigint;
}

/** By lease id. */
export type UnpaidHours = ReadonlyMap<bigint, UnpaidHour>;

/**
 * Hours that are due and unpaid in a reading, each with the height since which it is so. The chain pays one hour of a lease
 * in a block: after it stood still it catches up in consecutive blocks, and another hour is unpaid in each.
 * @source hub messages §5.3
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

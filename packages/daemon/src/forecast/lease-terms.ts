import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { heldForLease } from './deposits.js';

const secondsOfHour = 3_600n;

/** Values computed from the record of a lease alone. Amounts in the base unit of the price's denomination. */
export interface LeaseTerms {
  /** When the term ends or is renewed. */
  readonly endsAt: Timestamp;
  /** When the next hour is paid; `undefined` once every hour is paid. */
  readonly nextPayoutAt: Timestamp | undefined;
  /** Payment for one hour, including the share of stakers. */
  readonly hourly: bigint;
  /** Amount still locked in the provider's deposit for the unpaid hours. It is refunded if the lease ends early. */
  readonly locked: bigint;
}

/** Payout and deposit of a lease. Hour k is paid at `start_at` + k hours, the first one right after the start. */
export const leaseTerms = ({ startAt, hours, maxHours, price }: Lease): LeaseTerms | undefined => {
  // A running lease has started; a record without a start comes from another release.
  if (startAt === undefined) return undefined;
  return {
    endsAt: after(startAt, maxHours),
    nextPayoutAt: maxHours > hours ? after(startAt, hours) : undefined,
    hourly: BigInt(price.quoteValue),
    locked: heldForLease({ hours, maxHours, price }).amount,
  };
};

/**
 * Refund to the provider if the lease ends in a block with this time, regardless of the cause: the hours that are not due by
 * then. An hour that is due in the block is paid first. `undefined` if {@link leaseTerms} is.
 */
export const refundAt = (lease: Lease, at: Timestamp): bigint | undefined => {
  const terms = leaseTerms(lease);
  const { startAt, hours, maxHours } = lease;
  if (terms === undefined || startAt === undefined) return undefined;
  const ran = at.seconds - startAt.seconds - (at.nanos < startAt.nanos ? 1n : 0n);
  const due = ran < 0n ? 0n : ran / secondsOfHour + 1n;
  const paid = due > hours ? due : hours;
  return paid >= maxHours ? 0n : (maxHours - paid) * terms.hourly;
};

const after = ({ seconds, nanos }: Timestamp, hours: bigint): Timestamp => ({
  seconds: seconds + hours * secondsOfHour,
  nanos,
});

import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Timestamp } from '@hubwatch/types/runtime/values';

const secondsOfHour = 3_600n;

/** What follows from the record of a lease alone. Amounts in the base unit of the price's denomination. */
export interface LeaseTerms {
  /** When the term is over, or is renewed. */
  readonly endsAt: Timestamp;
  /** When the next hour is paid; absent once every hour is. */
  readonly nextPayoutAt: Timestamp | undefined;
  /** What one hour pays, stakers included. */
  readonly hourly: bigint;
  /** Still locked in the provider's deposit: the hours to come. It is what an end at any moment gives back. */
  readonly locked: bigint;
}

/** @source hub messages §5.3 */
export const leaseTerms = ({ startAt, hours, maxHours, price }: Lease): LeaseTerms | undefined => {
  // A lease that runs has begun; a record without a start is of another release.
  if (startAt === undefined) return undefined;
  const hourly = BigInt(price.quoteValue);
  const unpaid = maxHours > hours ? maxHours - hours : 0n;
  return {
    endsAt: after(startAt, maxHours),
    nextPayoutAt: unpaid > 0n ? after(startAt, hours) : undefined,
    hourly,
    locked: unpaid * hourly,
  };
};

const after = ({ seconds, nanos }: Timestamp, hours: bigint): Timestamp => ({
  seconds: seconds + hours * secondsOfHour,
  nanos,
});

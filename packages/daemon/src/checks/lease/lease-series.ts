import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { enumText } from '../../enum-text.js';
import { leaseTerms } from '../../forecast/lease-terms.js';
import { gauge, info, type Sample, sample } from '../family.js';
import { secondsOf } from '../times.js';

const hour = 3_600;
const perLease = ['lease_id'];
const perDenom = ['lease_id', 'denom'];

const leaseInfo = info(
  'hub_lease_info',
  ['lease_id', 'node', 'provider', 'denom', 'renewal_policy'],
  'Running leases of watched nodes and providers, to join the series below with; the value is always 1',
);
const start = gauge('hub_lease_start_timestamp_seconds', perLease, 'Start of the present term');
const end = gauge('hub_lease_end_timestamp_seconds', perLease, 'End of the present term');
const renewal = gauge(
  'hub_lease_renewal_timestamp_seconds',
  perLease,
  'When the chain tries to renew the lease; absent when its policy is not to',
);
const nextPayout = gauge(
  'hub_lease_next_payout_timestamp_seconds',
  perLease,
  'When the next hour is paid; absent once every hour is',
);
const term = gauge('hub_lease_term_seconds', perLease, 'Length of the present term');
const paid = gauge('hub_lease_paid_seconds', perLease, 'Part of the term that is paid to the node');
const hourlyPrice = gauge(
  'hub_lease_hourly_price',
  perDenom,
  'What one hour pays, stakers included, in the base unit of the denomination',
);
const locked = gauge(
  'hub_lease_locked_amount',
  perDenom,
  "Hours that are not paid yet, locked in the provider's deposit: what an end now gives back, in the base unit of the denomination",
);

/** Families of a lease that follow from its record alone. */
export const leaseFamilies = [leaseInfo, start, end, renewal, nextPayout, term, paid, hourlyPrice, locked];

/** Series of a lease. Each lease is told of by one check only, so that no series comes twice. */
export const leaseSamples = (lease: Lease): readonly Sample[] => {
  const id = String(lease.id);
  const { denom, quoteValue } = lease.price;
  const policy = enumText(RenewalPricePolicyTable, lease.renewalPricePolicy);
  const samples = [
    sample(leaseInfo, [id, lease.nodeAddress, lease.provAddress, denom, policy], 1),
    sample(term, [id], Number(lease.maxHours) * hour),
    sample(paid, [id], Number(lease.hours) * hour),
    sample(hourlyPrice, [id, denom], Number(quoteValue)),
  ];
  const terms = leaseTerms(lease);
  if (terms === undefined || lease.startAt === undefined) return samples;
  const ends = secondsOf(terms.endsAt);
  samples.push(sample(start, [id], secondsOf(lease.startAt)), sample(end, [id], ends));
  if (lease.renewalPricePolicy !== RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED)
    samples.push(sample(renewal, [id], ends));
  if (terms.nextPayoutAt !== undefined) samples.push(sample(nextPayout, [id], secondsOf(terms.nextPayoutAt)));
  samples.push(sample(locked, [id, denom], Number(terms.locked)));
  return samples;
};

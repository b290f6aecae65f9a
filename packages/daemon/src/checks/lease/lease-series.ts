import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { shortText } from '../../enum-text.js';
import { heldForLease } from '../../forecast/deposits.js';
import { type LeaseTerms, leaseTerms } from '../../forecast/lease-terms.js';
import { type Family, gauge, info, type Sample, sample } from '../family.js';
import { secondsOf } from '../times.js';

const hour = 3_600;
const perLease = ['lease_id'];
const perDenom = ['lease_id', 'denom'];

/** A family of leases, and its value for one lease; `undefined` if this lease has no such series. */
interface LeaseSeries {
  readonly family: Family;
  readonly valueOf: (lease: Lease, terms: LeaseTerms | undefined) => number | undefined;
}

const secondsOrNone = (time: Timestamp | undefined): number | undefined => time && secondsOf(time);

/** Every family that is computed from a lease's record alone. */
const series: readonly LeaseSeries[] = [
  {
    family: info(
      'hub_lease_info',
      ['lease_id', 'node', 'provider', 'denom', 'renewal_policy'],
      'Running leases of watched nodes and providers, for joins with the series below; the value is always 1',
    ),
    valueOf: () => 1,
  },
  {
    family: gauge('hub_lease_start_timestamp_seconds', perLease, 'Start of the current term'),
    valueOf: ({ startAt }) => secondsOrNone(startAt),
  },
  {
    family: gauge('hub_lease_end_timestamp_seconds', perLease, 'End of the current term'),
    valueOf: (_lease, terms) => secondsOrNone(terms?.endsAt),
  },
  {
    family: gauge(
      'hub_lease_renewal_timestamp_seconds',
      perLease,
      'When the chain tries to renew the lease; absent if its policy forbids renewal',
    ),
    valueOf: ({ renewalPricePolicy }, terms) =>
      renewalPricePolicy === RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED
        ? undefined
        : secondsOrNone(terms?.endsAt),
  },
  {
    family: gauge(
      'hub_lease_next_payout_timestamp_seconds',
      perLease,
      'When the next hour is paid; absent after every hour is paid',
    ),
    valueOf: (_lease, terms) => secondsOrNone(terms?.nextPayoutAt),
  },
  {
    family: gauge('hub_lease_term_seconds', perLease, 'Length of the current term'),
    valueOf: ({ maxHours }) => Number(maxHours) * hour,
  },
  {
    family: gauge('hub_lease_paid_seconds', perLease, 'Part of the term that has been paid to the node'),
    valueOf: ({ hours }) => Number(hours) * hour,
  },
  {
    family: gauge(
      'hub_lease_hourly_price',
      perDenom,
      'Price of one hour, stakers included, in the base unit of the denomination',
    ),
    valueOf: ({ price }) => Number(price.quoteValue),
  },
  {
    family: gauge(
      'hub_lease_locked_amount',
      perDenom,
      "Unpaid hours, locked in the provider's deposit: the refund if the lease ends now, in the base unit of the denomination",
    ),
    valueOf: (lease) => Number(heldForLease(lease).amount),
  },
];

export const leaseFamilies: readonly Family[] = series.map(({ family }) => family);

/** Series of a lease. Only one check exports each lease, so that no series is exported twice. */
export const leaseSamples = (lease: Lease): readonly Sample[] => {
  const labels: Readonly<Record<string, string>> = {
    lease_id: String(lease.id),
    node: lease.nodeAddress,
    provider: lease.provAddress,
    denom: lease.price.denom,
    renewal_policy: shortText(RenewalPricePolicyTable, lease.renewalPricePolicy),
  };
  const terms = leaseTerms(lease);
  return series.flatMap(({ family, valueOf }) => {
    const value = valueOf(lease, terms);
    return value === undefined
      ? []
      : [
          sample(
            family,
            family.labels.map((name) => labels[name] ?? ''),
            value,
          ),
        ];
  });
};

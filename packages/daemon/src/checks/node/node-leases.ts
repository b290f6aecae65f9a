import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { queryLeasesForNode } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { Check } from '../check.js';
import { enumText } from '../../enum-text.js';
import { gauge, info, type Sample, sample } from '../family.js';
import { secondsOf } from '../times.js';
import { type NodeTarget, nodeTargets } from './watched-nodes.js';

export interface LeasesReading {
  readonly leases: readonly Lease[];
  readonly height: bigint | undefined;
}

const hour = 3_600;
const perLease = ['lease_id'];

const leaseCount = gauge('hub_node_leases', ['node'], 'Leases running on the node');
const leaseInfo = info(
  'hub_lease_info',
  ['lease_id', 'node', 'provider', 'denom', 'renewal_policy'],
  'Running leases of watched nodes, to join the series below with; the value is always 1',
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
  ['lease_id', 'denom'],
  'What one hour pays, stakers included, in the base unit of the denomination',
);

const leaseSamples = (lease: Lease): Sample[] => {
  const id = String(lease.id);
  const { denom, quoteValue } = lease.price;
  const policy = enumText(RenewalPricePolicyTable, lease.renewalPricePolicy);
  const samples = [
    sample(leaseInfo, [id, lease.nodeAddress, lease.provAddress, denom, policy], 1),
    sample(term, [id], Number(lease.maxHours) * hour),
    sample(paid, [id], Number(lease.hours) * hour),
    sample(hourlyPrice, [id, denom], Number(quoteValue)),
  ];
  if (lease.startAt === undefined) return samples;
  const started = secondsOf(lease.startAt);
  const ends = started + Number(lease.maxHours) * hour;
  samples.push(sample(start, [id], started), sample(end, [id], ends));
  if (lease.renewalPricePolicy !== RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED) {
    samples.push(sample(renewal, [id], ends));
  }
  if (lease.hours < lease.maxHours) samples.push(sample(nextPayout, [id], started + Number(lease.hours) * hour));
  return samples;
};

/** Leases on every watched node: terms, payouts and prices. */
export const nodeLeases: Check<NodeTarget, LeasesReading> = {
  name: 'leases',
  families: [leaseCount, leaseInfo, start, end, renewal, nextPayout, term, paid, hourlyPrice],
  everyMs: (config) => config.poll.leases,
  targets: nodeTargets,
  collect: (target, { pool, signal }) =>
    pool.read(`leases of ${target.key}`, signal, async (source) => {
      const leases: Lease[] = [];
      const walk = {
        method: queryLeasesForNode,
        request: { address: target.key },
        items: (page: { readonly leases: readonly Lease[] }) => page.leases,
      };
      const { height } = await readPages(source, walk, (page) => leases.push(...page));
      return { leases, height };
    }),
  metrics: ({ key }, { leases }) => [sample(leaseCount, [key], leases.length), ...leases.flatMap(leaseSamples)],
};

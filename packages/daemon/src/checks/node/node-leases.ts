import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { heldForLease, sumAmounts } from '../../forecast/deposits.js';
import type { Check } from '../check.js';
import { gauge, sample } from '../family.js';
import { leaseFamilies, leaseSamples } from '../lease/lease-series.js';
import { readLeases } from '../lease/read-leases.js';
import { type UnpaidHours, unpaidHours } from '../lease/unpaid-hours.js';
import { type NodeTarget, nodeTargets } from './watched-nodes.js';

export interface LeasesReading {
  readonly leases: readonly Lease[];
  readonly height: bigint | undefined;
  /** Hours that were due and are not paid. */
  readonly unpaid?: UnpaidHours;
}

const leaseCount = gauge('hub_node_leases', ['node'], 'Leases running on the node');
const atStake = gauge(
  'hub_node_lease_at_stake_amount',
  ['node', 'denom'],
  'Hours of all its leases that are not paid yet, which go back to their providers when it lapses, in the base unit of the denomination',
);

/** Leases on every watched node: terms, payouts and prices. */
export const nodeLeases: Check<NodeTarget, LeasesReading> = {
  name: 'leases',
  families: [leaseCount, atStake, ...leaseFamilies],
  everyMs: (config) => config.poll.leases,
  targets: nodeTargets,
  collect: (target, { pool, signal, moment, previous }) =>
    pool.read(`leases of ${target.key}`, signal, async (source) => {
      const { leases, height } = await readLeases(source, 'node', target.key);
      const before = (previous as LeasesReading | undefined)?.unpaid;
      return { leases, height, unpaid: unpaidHours(leases, height, moment.head?.timeMs, before) };
    }),
  metrics: ({ key }, { leases }) => [
    sample(leaseCount, [key], leases.length),
    ...[...sumAmounts(leases.map(heldForLease))].map(([denom, sum]) => sample(atStake, [key, denom], Number(sum))),
    ...leases.flatMap(leaseSamples),
  ],
};

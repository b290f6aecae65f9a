import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { heldForLease, sumAmounts } from '../../forecast/deposits.js';
import { leaseTerms } from '../../forecast/lease-terms.js';
import { keepForOthers } from '../cached-read.js';
import type { Check, Moment } from '../check.js';
import { gauge, sample } from '../family.js';
import { isFollowed } from '../followed.js';
import { leaseFamilies, leaseSamples } from '../lease/lease-series.js';
import { noteLeases } from '../lease/note-leases.js';
import { readLeases } from '../lease/read-leases.js';
import { leasesOn } from '../lease/renewal-facts.js';
import { type UnpaidHours, unpaidHours } from '../lease/unpaid-hours.js';
import { msOf } from '../times.js';
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
  'Unpaid hours of all its leases, which return to their providers when it lapses, in the base unit of the denomination',
);

/** How long a reading stays valid while events report every change except payouts. */
const quietMs = 300_000;

/** Events report when leases begin, change and end; a due payout requires a new reading. */
const isStillGood = ({ leases, height }: LeasesReading, taken: Moment, now: Moment): boolean => {
  const ageMs = now.clockMs - taken.clockMs;
  const nowMs = now.head?.timeMs;
  if (nowMs === undefined || ageMs < 0 || ageMs >= quietMs || !isFollowed(now, height)) return false;
  return leases.every((lease) => {
    const terms = leaseTerms(lease);
    return [terms?.nextPayoutAt, terms?.endsAt].every((at) => at === undefined || nowMs < msOf(at));
  });
};

/** Leases on every watched node: terms, payouts and prices. */
export const nodeLeases: Check<NodeTarget, LeasesReading> = {
  name: 'leases',
  families: [leaseCount, atStake, ...leaseFamilies],
  everyMs: (config) => config.poll.leases,
  targets: nodeTargets,
  collect(target, context) {
    const { pool, signal, moment, previous } = context;
    return pool.read(`leases of ${target.key}`, signal, async (source) => {
      const { leases, height } = await readLeases(source, 'node', target.key);
      noteLeases(context, leases, height);
      keepForOthers(context, leasesOn(target.key), leases);
      const before = (previous as LeasesReading | undefined)?.unpaid;
      return { leases, height, unpaid: unpaidHours(leases, height, moment.head?.timeMs, before) };
    });
  },
  isStillGood,
  metrics: ({ key }, { leases }) => [
    sample(leaseCount, [key], leases.length),
    ...[...sumAmounts(leases.map(heldForLease))].map(([denom, sum]) => sample(atStake, [key, denom], Number(sum))),
    ...leases.flatMap(leaseSamples),
  ],
};

import { fromHead, seconds, withParties } from '../../checks/prometheus.js';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { renewalHorizonMs } from '../../checks/lease/renewal-outlooks.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import { amountText, utc } from '../../words.js';
import { judgeEach } from '../judge-each.js';
import type { Rule, RuleView } from '../rule.js';
import { plansAtStake } from '../plan/plans-of-node.js';
import { leaseIdentity, leasesSeen, missesLeases, onceForLease, partiesOf, type SeenLease } from './each-lease.js';

const renewed = onceForLease(
  ({ lease, title }): Verdict => ({
    ...leaseIdentity(lease),
    ...{ state: 'ok', title: `${title}: is to be renewed`, text: '' },
  }),
);

const runsOn = onceForLease(
  ({ lease, terms, title }, view): Verdict => ({
    ...leaseIdentity(lease),
    ...{ state: 'ok', title: `${title}: runs until ${utc(msOf(terms.endsAt))}`, text: partiesOf(view, lease) },
  }),
);

const judge = (view: RuleView, seen: SeenLease): Verdict => {
  const { lease, terms, moment, title } = seen;
  const base = leaseIdentity(lease);
  const nowMs = moment.head?.timeMs;
  const endMs = msOf(terms.endsAt);
  if (lease.renewalPricePolicy !== RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED) return renewed(seen, view);
  if (nowMs === undefined)
    return { ...base, state: 'unknown', title: `${title}: the chain's time is not known`, text: '' };
  if (endMs - nowMs >= renewalHorizonMs) return runsOn(seen, view);
  const { hours, maxHours, price } = lease;
  return {
    ...base,
    state: 'firing',
    dueMs: endMs,
    title: `${title}: ends at ${utc(endMs)} and is not to be renewed`,
    text: [
      `Its term is over at ${utc(endMs)}; it has no renewal policy.`,
      `${hours} of ${maxHours} hours are paid, at ${amountText(price.quoteValue, price.denom)} an hour.`,
      'The provider can give it a renewal policy before, or start another lease after.',
      ...plansAtStake(view, lease.nodeAddress, [lease]),
      '',
      partiesOf(view, lease),
    ].join('\n'),
  };
};

/** A lease ends within a day and will not be renewed. */
export const leaseEndingSoon: Rule = {
  name: 'HubLeaseEndingSoon',
  severity: 'warning',
  forMs: 0,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: withParties(`${fromHead('hub_lease_end_timestamp_seconds', ['lease_id'])} < ${seconds(renewalHorizonMs)}
  unless hub_lease_renewal_timestamp_seconds`),
    labels: ['lease_id', 'node', 'provider'],
    summary:
      'Lease {{ $labels.lease_id }} of {{ $labels.node }} ends in {{ $value | humanizeDuration }} and will not be renewed',
    description:
      'It has no renewal policy. When it ends, the node is removed from the plans of the provider. {{ $labels.provider }} can set a policy before the end, or start a new lease afterwards.',
  },
  evaluate: (view) => judgeEach(leasesSeen(view), (seen) => judge(view, seen)),
  isPartial: missesLeases,
};

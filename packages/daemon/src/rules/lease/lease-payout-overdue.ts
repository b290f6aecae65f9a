import { untilHead, seconds, withParties, range } from '../../checks/prometheus.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import { amountText, utc } from '../../words.js';
import { judgeEach } from '../judge-each.js';
import type { Rule } from '../rule.js';
import { leaseIdentity, leasesSeen, missesLeases, onceForLease, partiesOf } from './each-lease.js';

/** Tolerance for the next payout: the time of some blocks. */
const graceMs = 120_000;
/** Number of blocks in which the same hour was due and not paid. While a chain catches up, each block pays another hour. */
const blocksNeeded = 3n;

const judge = onceForLease(({ lease, terms, moment, height, unpaid, title }, view): Verdict => {
  const base = leaseIdentity(lease);
  const nowMs = moment.head?.timeMs;
  if (nowMs === undefined)
    return { ...base, state: 'unknown', title: `${title}: the chain's time is not known`, text: '' };
  const dueMs = terms.nextPayoutAt === undefined ? undefined : msOf(terms.nextPayoutAt);
  if (dueMs === undefined || dueMs >= nowMs - graceMs)
    return { ...base, state: 'ok', title: `${title}: its hours are paid`, text: partiesOf(view, lease) };
  const blocks = unpaid === undefined || height === undefined ? 0n : height - unpaid.height;
  if (blocks < blocksNeeded) {
    const text =
      'An hour is due; whether the chain pays it late, or catches up after it stood still, is seen in a few blocks.';
    return { ...base, state: 'unknown', title: `${title}: an hour is due`, text };
  }
  const { hours, maxHours, price } = lease;
  return {
    ...base,
    state: 'firing',
    title: `${title}: the payout of ${utc(dueMs)} is overdue`,
    text: [
      `Hour ${hours + 1n} of ${maxHours} was due at ${utc(dueMs)} and not paid by ${utc(nowMs)} (chain time), and ${blocks} blocks passed without it: ${amountText(price.quoteValue, price.denom)}, stakers included.`,
      'The chain pays by itself in the first block after an hour is due. A missing payout is a fault of the chain or of the state of the endpoint. Check another endpoint first.',
      '',
      partiesOf(view, lease),
    ].join('\n'),
  };
});

/** The chain produces blocks and does not pay an hour that is due. */
export const leasePayoutOverdue: Rule = {
  name: 'HubLeasePayoutOverdue',
  severity: 'critical',
  forMs: 120_000,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: ({ poll }) =>
      withParties(`${untilHead('hub_lease_next_payout_timestamp_seconds', ['lease_id'])} > ${seconds(graceMs)}
  and hub_lease_next_payout_timestamp_seconds == hub_lease_next_payout_timestamp_seconds offset ${range(poll.leases)}`),
    labels: ['lease_id', 'node', 'provider'],
    summary:
      'Lease {{ $labels.lease_id }} of {{ $labels.node }}: a payout is overdue by {{ $value | humanizeDuration }}',
    description:
      'The node did not receive this payment. The chain pays automatically in the first block after an hour is due, so either the chain is faulty or the endpoint has an outdated state. Compare with another endpoint first.',
    difference:
      'In Prometheus the same hour must be due for one interval of `poll.leases`. The daemon waits for three blocks without a payout.',
  },
  evaluate: (view) => judgeEach(leasesSeen(view), (seen) => judge(seen, view)),
  isPartial: missesLeases,
};

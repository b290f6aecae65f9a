import { type Family, gauge, type Sample, sample } from '../family.js';
import type { SessionFacts } from './session-fold.js';

const unit = 'in the base unit of the denomination';
const perNode = ['node'];

const sessions = gauge('hub_node_sessions', ['node', 'status'], 'Sessions on the node');
const stale = gauge(
  'hub_node_sessions_stale',
  perNode,
  'Active sessions without a usage update for longer than the configured share of the session timeout',
);
const lapsed = gauge(
  'hub_node_sessions_lapsed',
  perNode,
  'Ending sessions whose deadline was seen to pass without a usage update',
);
const overdue = gauge(
  'hub_node_sessions_overdue',
  perNode,
  'Sessions that still exist after their deadline, in chain time',
);
const oldestUpdate = gauge(
  'hub_node_session_oldest_update_timestamp_seconds',
  perNode,
  'Oldest last usage update, or start, among active sessions',
);
const nextSettlement = gauge(
  'hub_node_session_next_settlement_timestamp_seconds',
  perNode,
  'When the next ending session is settled',
);
const liveBytes = gauge(
  'hub_node_session_live_bytes',
  ['node', 'direction'],
  'Reported bytes of the sessions that exist now; ended sessions are not included',
);
const nearLimit = gauge(
  'hub_node_sessions_near_limit',
  ['node', 'limit'],
  'Active sessions that used at least 90 % but not all of their limit; the limit is bytes or duration',
);
const overLimit = gauge(
  'hub_node_sessions_over_limit',
  ['node', 'limit'],
  'Active sessions that used up their limit, which the chain allows; the limit is bytes or duration',
);
const expected = gauge(
  'hub_node_session_expected_amount',
  ['node', 'denom', 'part'],
  `Settlement of the sessions if they ended with the usage reported so far, ${unit}; the part is node, stakers or refund`,
);
const atStake = gauge(
  'hub_node_session_at_stake_amount',
  ['node', 'denom'],
  `Deposits of active sessions that the node has not earned yet and loses when it lapses, ${unit}`,
);
const allocations = gauge(
  'hub_node_allocations',
  ['node', 'state'],
  'Allocations that active subscription sessions use; the state is open or used_up',
);
const remaining = gauge(
  'hub_node_allocation_remaining_bytes',
  perNode,
  'Remaining bytes in the allocations of active subscription sessions, each allocation once',
);

export const sessionFamilies: readonly Family[] = [
  sessions,
  stale,
  lapsed,
  overdue,
  oldestUpdate,
  nextSettlement,
  liveBytes,
  nearLimit,
  overLimit,
  expected,
  atStake,
  allocations,
  remaining,
];

/**
 * Series of unknown values are absent: values that need chain time without it, and amounts without a price in the denomination.
 */
export const sessionSamples = (node: string, facts: SessionFacts, lapsedSessions: number): readonly Sample[] => [
  ...[...facts.byStatus].map(([status, count]) => sample(sessions, [node, status], count)),
  ...known(stale, node, facts.stale),
  sample(lapsed, [node], lapsedSessions),
  ...known(overdue, node, facts.overdue),
  ...known(oldestUpdate, node, facts.oldestUpdateMs, 1_000),
  ...known(nextSettlement, node, facts.nextSettlementMs, 1_000),
  sample(liveBytes, [node, 'download'], Number(facts.download)),
  sample(liveBytes, [node, 'upload'], Number(facts.upload)),
  sample(nearLimit, [node, 'bytes'], facts.byBytes.near),
  sample(nearLimit, [node, 'duration'], facts.byDuration.near),
  sample(overLimit, [node, 'bytes'], facts.byBytes.over),
  sample(overLimit, [node, 'duration'], facts.byDuration.over),
  ...[...facts.expected].flatMap(([denom, sums]) => [
    sample(expected, [node, denom, 'node'], Number(sums.toNode)),
    sample(expected, [node, denom, 'stakers'], Number(sums.toStakers)),
    sample(expected, [node, denom, 'refund'], Number(sums.refund)),
    sample(atStake, [node, denom], Number(sums.atStake)),
  ]),
  sample(allocations, [node, 'open'], facts.allocations.count - facts.allocations.usedUp),
  sample(allocations, [node, 'used_up'], facts.allocations.usedUp),
  sample(remaining, [node], Number(facts.allocations.remaining)),
];

const known = (family: Family, node: string, value: number | undefined, divisor = 1): readonly Sample[] =>
  value === undefined ? [] : [sample(family, [node], value / divisor)];

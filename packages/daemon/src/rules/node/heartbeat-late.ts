import { fromHead } from '../../checks/prometheus.js';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import type { NodeReading, NodeTarget } from '../../checks/node/watched-nodes.js';
import { judgeEachNode } from './each-node.js';
import { onceForReading } from '../once-for-reading.js';
import { feeText } from './fee-text.js';
import { leasesAtStake } from './leases-at-stake.js';
import { sessionsAtStake } from './sessions-at-stake.js';
import type { Rule, RuleView } from '../rule.js';
import { span, utc } from '../../words.js';

const shareOfSlack = 0.4;
/** Parts of the timeout: four minutes and thirty seconds of an hour. */
const lastPart = 15;
const gracePart = 120;

/** Deadline and usual interval of an active node, in milliseconds of block time. */
export interface Heartbeat {
  readonly statusMs: number;
  readonly deadlineMs: number;
  readonly intervalMs: number;
}

/**
 * Whether a heartbeat is late. It is late if 40 % of the slack between the usual time and the deadline is used. It is also late
 * if less than a fifteenth of the timeout is left and the usual time has passed by a 120th of the timeout.
 */
export const isLate = ({ statusMs, deadlineMs, intervalMs }: Heartbeat, nowMs: number): boolean => {
  const usualMs = statusMs + intervalMs;
  const timeoutMs = deadlineMs - statusMs;
  const usedSlack = usualMs + shareOfSlack * (deadlineMs - usualMs) < nowMs;
  const isShort = deadlineMs - timeoutMs / lastPart < nowMs && usualMs + timeoutMs / gracePart < nowMs;
  return usedSlack || isShort;
};

/**
 * Common reasons why a node does not send its status, in the order in which to check them; whether it can pay is reported
 * separately.
 */
export const whatToDo =
  'Check that its program runs and that it reaches its RPC endpoint; a restart of the program sends a status transaction.';

const termOf = ({ node }: NodeReading): string => (node?.statusAt === undefined ? '' : utc(msOf(node.statusAt)));

const heardText = ({ node }: NodeReading): string =>
  node?.statusAt === undefined || node.inactiveAt === undefined
    ? ''
    : `Last heartbeat: ${utc(msOf(node.statusAt))}. Deadline: ${utc(msOf(node.inactiveAt))}.`;

const judgeIdle = onceForReading((target: NodeTarget, reading: NodeReading): Verdict => {
  const title = `${target.title}: not active, no heartbeat is due`;
  return { subject: target.key, term: termOf(reading), state: 'ok', passedOn: true, title, text: '' };
});

const judgeInTime = onceForReading((target: NodeTarget, reading: NodeReading): Verdict => {
  const title = `${target.title}: heartbeat came`;
  return { subject: target.key, term: termOf(reading), state: 'ok', title, text: heardText(reading) };
});

const judge = (target: NodeTarget, reading: NodeReading, nowMs: number | undefined, view: RuleView): Verdict => {
  const { node } = reading;
  if (node?.status !== Status.STATUS_ACTIVE || node.statusAt === undefined || node.inactiveAt === undefined)
    return judgeIdle(target, reading);
  const statusMs = msOf(node.statusAt);
  const deadlineMs = msOf(node.inactiveAt);
  if (nowMs !== undefined && !isLate({ statusMs, deadlineMs, intervalMs: reading.intervalMs }, nowMs))
    return judgeInTime(target, reading);
  const base = { subject: target.key, term: termOf(reading) };
  const heard = heardText(reading);
  if (nowMs === undefined)
    return { ...base, state: 'unknown', title: `${target.title}: the chain's time is not known`, text: heard };
  if (view.observations.outcome(nodeLeases, target.key) === undefined) {
    return { ...base, state: 'unknown', title: `${target.title}: its leases were not asked for yet`, text: heard };
  }
  const habit = reading.intervalLearned ? 'usually every' : 'assumed to come every';
  return {
    ...base,
    state: 'firing',
    dueMs: deadlineMs,
    title: `${target.title}: heartbeat late, deadline ${utc(deadlineMs)}`,
    text: [
      `${heard} None had come by ${utc(nowMs)} (chain time); its heartbeats are ${habit} ${span(reading.intervalMs)}.`,
      `A status transaction of the node before the deadline keeps all that follows. ${whatToDo}`,
      ...feeText(view, target.key),
      '',
      leasesAtStake(view, target.key),
      sessionsAtStake(view, target.key),
      '',
      'When the deadline passes, the chain makes the node inactive and ends these leases and sessions in that block.',
      `Node: ${target.key}`,
    ].join('\n'),
  };
};

/** The same times as series of a node. */
const usual = 'hub_node_status_timestamp_seconds + hub_node_heartbeat_interval_seconds';
const timeout = '(hub_node_inactive_timestamp_seconds - hub_node_status_timestamp_seconds)';

/** A watched node has not renewed its status at its usual time. */
export const heartbeatLate: Rule = {
  name: 'HubNodeHeartbeatLate',
  severity: 'warning',
  forMs: 0,
  time: 'chain',
  deviation: 'The last four minutes and the grace of 30 s are fractions of the timeout: 1/15 and 1/120.',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: `${fromHead('hub_node_inactive_timestamp_seconds', ['node'])}
  and (
    ${usual} + ${shareOfSlack} * (hub_node_inactive_timestamp_seconds - (${usual}))
      < ignoring (node) group_left () hub_head_timestamp_seconds
    or
    hub_node_inactive_timestamp_seconds - ${timeout} / ${lastPart}
      < ignoring (node) group_left () hub_head_timestamp_seconds
    and ${usual} + ${timeout} / ${gracePart}
      < ignoring (node) group_left () hub_head_timestamp_seconds
  )
  and ignoring (status) hub_node_status{status="active"} == 1`,
    labels: ['node'],
    summary: '{{ $labels.node }}: heartbeat late, {{ $value | humanizeDuration }} of chain time to the deadline',
    description:
      'When the deadline passes, the chain makes the node inactive and ends its leases and sessions in that block. A status transaction before then prevents this, and restarting the node program sends one. Check that the program runs, that it reaches its RPC endpoint and that its account can pay.',
  },
  evaluate: (view) =>
    judgeEachNode(view, (target, reading, moment) => judge(target, reading, moment.head?.timeMs, view)),
};

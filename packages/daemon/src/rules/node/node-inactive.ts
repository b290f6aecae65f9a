import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { shortText } from '../../enum-text.js';
import type { Verdict } from '../../checks/verdict.js';
import type { NodeReading, NodeTarget } from '../../checks/node/watched-nodes.js';
import { wholeMs } from '../../whole-ms.js';
import { isUnread, judgeEachNode } from './each-node.js';
import { onceForReading } from '../once-for-reading.js';
import { feeText } from './fee-text.js';
import { whatToDo } from './heartbeat-late.js';
import type { EndedLease, Lapse } from '../../ledger/lapses.js';
import { lostLeases, lostLines } from './leases-lost.js';
import { linksLeft } from '../plan/plans-of-node.js';
import { sessionsEnding } from './sessions-at-stake.js';
import { causesOfLapses } from './nodes-lapsed.js';
import type { Rule, RuleView } from '../rule.js';
import { amountText, counted, utc } from '../../words.js';
import { nameOf } from '../name-of.js';

const statusMsOf = ({ node }: NodeReading): number | undefined =>
  node?.statusAt === undefined ? undefined : wholeMs(node.statusAt);

/** A return and a second lapse between two polls start another term. */
const termOf = (statusMs: number | undefined): string => (statusMs === undefined ? '' : String(statusMs));

const sinceText = (statusMs: number | undefined): string =>
  statusMs === undefined ? 'an unknown time' : utc(statusMs);

const active = (target: NodeTarget, reading: NodeReading, notBack: readonly string[]): Verdict => {
  const statusMs = statusMsOf(reading);
  return {
    subject: target.key,
    term: termOf(statusMs),
    state: 'ok',
    title: `${target.title}: active again`,
    text: [`The node is active since ${sinceText(statusMs)}.`, ...notBack, `Node: ${target.key}`].join('\n'),
  };
};

/** A return to active does not restore leases. */
const activeWithout = onceForReading((target: NodeTarget, reading: NodeReading) =>
  active(target, reading, [
    'Leases that ended while it was inactive do not come back; a provider has to start new ones.',
  ]),
);

const judgeActive = (target: NodeTarget, reading: NodeReading, view: RuleView): Verdict => {
  const lost = lostLeases(view, target.key);
  if (lost.length === 0) return activeWithout(target, reading);
  return active(target, reading, [
    'These leases ended when it went inactive and stay lost until their providers lease it again:',
    ...lostLines(view, lost),
  ]);
};

const judge = (
  target: NodeTarget,
  reading: NodeReading,
  view: RuleView,
  causeOf: ReturnType<typeof causesOfLapses>,
): Verdict => {
  const { node } = reading;
  if (node?.status === Status.STATUS_ACTIVE) return judgeActive(target, reading, view);
  const statusMs = statusMsOf(reading);
  const base = { subject: target.key, term: termOf(statusMs) };
  if (node === undefined) return { ...base, state: 'unknown', title: `${target.title}: not registered`, text: '' };
  const since = sinceText(statusMs);
  if (isUnread(reading, view))
    return { ...base, state: 'unknown', title: `${target.title}: events not read yet`, text: '' };
  const lapse = node.statusAt && view.ledger.lapse(target.key, node.statusAt);
  return {
    ...base,
    state: 'firing',
    ...(lapse === undefined ? {} : { leases: lapse.ended.length }),
    title: `${target.title}: ${shortText(StatusTable, node.status)} since ${since}${byWhat(lapse)}`,
    text: [
      endedText(lapse, node.statusAt, view),
      ...linksLeft(view, lapse),
      sessionsEnding(view, target.key),
      '',
      ...whatNow(view, target, lapse),
      `Node: ${target.key}`,
    ].join('\n'),
    ...(statusMs === undefined ? {} : causeOf(target.key, statusMs)),
  };
};

const byWhat = (lapse: Lapse | undefined): string => {
  if (lapse?.cause === 'deadline') return ', its heartbeat deadline passed';
  return lapse?.cause === 'message' ? ', by a status message of its own' : '';
};

const whatNow = (view: RuleView, target: NodeTarget, lapse: Lapse | undefined): readonly string[] => {
  const until = 'The node gets no sessions and no payouts until a status transaction makes it active.';
  if (lapse?.cause === 'message')
    return [
      `A status message that its own key signed made it inactive, and no deadline passed. ${until} If this was not intended, check who else has the key.`,
    ];
  return [`${until} ${whatToDo}`, ...feeText(view, target.key)];
};

const endedText = (lapse: Lapse | undefined, at: Timestamp | undefined, view: RuleView): string => {
  if (!view.ledger.isKept) return 'What ended with it is not known: no endpoint with a consensus RPC is configured.';
  if (lapse === undefined || at === undefined)
    return 'What ended with it is not known: the block in which it happened was not read.';
  if (lapse.ended.length === 0) return `No lease ended with it (block ${lapse.height}).`;
  return [
    `${counted(lapse.ended.length, 'lease')} ended in block ${lapse.height}:`,
    ...lapse.ended.map(
      (lease) =>
        `- lease ${lease.leaseId} of ${lease.provider === undefined ? 'an unknown provider' : nameOf(view, lease.provider)}: ${refundText(lease)}`,
    ),
  ].join('\n');
};

const refundText = ({ refund }: EndedLease): string =>
  refund === undefined
    ? 'refund not known'
    : refund.amount === '0'
      ? 'nothing was left to refund'
      : `${amountText(refund.amount, refund.denom)} refunded to the provider`;

/**
 * A watched node is registered and not active: its deadline lapsed, or it sent the message itself. The chain has already
 * changed the status.
 */
export const nodeInactive: Rule = {
  name: 'HubNodeInactive',
  severity: 'critical',
  forMs: 0,
  time: 'chain',
  deviation: 'It fires at once, because the chain has already made the node inactive.',
  inhibitedBy: [{ rule: 'HubNodesLapsed', equal: 'cause' }],
  prometheus: {
    expr: `count_values without () ("since",
    hub_node_status_timestamp_seconds
    and ignoring (status) hub_node_status{status="active"} == 0
  )`,
    labels: ['node', 'since'],
    summary: '{{ $labels.node }}: inactive since {{ $labels.since | humanizeTimestamp }}',
    description:
      'Its leases and sessions ended in that block, and plans no longer list it. It gets no sessions and no payouts until a status transaction makes it active again; its leases do not return. Check that the node program runs, that it reaches its RPC endpoint and that its account can pay.',
  },
  evaluate(view) {
    const causeOf = causesOfLapses(view);
    return judgeEachNode(view, (target, reading) => judge(target, reading, view, causeOf));
  },
};

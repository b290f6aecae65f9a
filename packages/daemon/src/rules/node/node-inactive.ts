import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { enumText } from '../../enum-text.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import type { NodeReading, NodeTarget } from '../../checks/node/watched-nodes.js';
import { judgeEachNode } from './each-node.js';
import { whatToDo } from './heartbeat-late.js';
import type { EndedLease, Lapse } from '../../ledger/ledger-store.js';
import { lostLeases, lostLines } from './leases-lost.js';
import { plansLeft } from './plans-of-node.js';
import { sessionsEnding } from './sessions-at-stake.js';
import { causesOfLapses } from './nodes-lapsed.js';
import type { Rule, RuleView } from '../rule.js';
import { amountText, counted, utc } from '../../words.js';
import { nameOf } from '../name-of.js';

const judge = (
  target: NodeTarget,
  reading: NodeReading,
  view: RuleView,
  causeOf: ReturnType<typeof causesOfLapses>,
): Verdict => {
  const { node, height } = reading;
  const statusMs = node?.statusAt === undefined ? undefined : msOf(node.statusAt);
  // A return and a second lapse between two polls are another term.
  const base = { subject: target.key, term: statusMs === undefined ? '' : String(statusMs) };
  if (node === undefined) return { ...base, state: 'unknown', title: `${target.title}: not registered`, text: '' };
  const since = statusMs === undefined ? 'an unknown time' : utc(statusMs);
  if (node.status === Status.STATUS_ACTIVE) {
    return {
      ...base,
      state: 'ok',
      title: `${target.title}: active again`,
      text: [`The node is active since ${since}.`, ...notBack(view, target.key), `Node: ${target.key}`].join('\n'),
    };
  }
  const { ledger } = view;
  const position = ledger.position();
  const isBehind = ledger.isKept && ledger.isCurrent() && (position === undefined || position < (height ?? 0n));
  if (isBehind) return { ...base, state: 'unknown', title: `${target.title}: events not read yet`, text: '' };
  return {
    ...base,
    state: 'firing',
    title: `${target.title}: ${enumText(StatusTable, node.status)} since ${since}`,
    text: `${lostText(target.key, node.statusAt, view)}\n${sessionsEnding(view, target.key)}\n\nThe node gets no sessions and no payouts until a status transaction makes it active. ${whatToDo}\nNode: ${target.key}`,
    ...(statusMs === undefined ? {} : causeOf(statusMs)),
  };
};

/** Being active again does not restore leases. */
const notBack = (view: RuleView, node: string): readonly string[] => {
  const leases = lostLeases(view, node);
  return leases.length === 0
    ? ['Leases that ended while it was inactive do not come back; a provider has to start new ones.']
    : [
        'These leases ended with its lapse and stay lost until their providers lease it again:',
        ...lostLines(view, leases),
      ];
};

const lostText = (node: string, at: Timestamp | undefined, view: RuleView): string => {
  const lapse = at && view.ledger.lapse(node, at);
  const providers =
    lapse?.ended.flatMap(({ provider }) => provider ?? []) ?? view.config.watch.providers.map(({ address }) => address);
  return [endedText(lapse, view), ...(at === undefined ? [] : plansLeft(view, node, providers, msOf(at)))].join('\n');
};

const endedText = (lapse: Lapse | undefined, view: RuleView): string => {
  const { ledger } = view;
  if (!ledger.isKept) return 'What ended with it is not known: no endpoint with a consensus RPC is configured.';
  if (lapse === undefined) return 'What ended with it is not known: the block in which it happened was not read.';
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

/** A watched node is registered and not active: by its lapsed deadline or by its own message. */
export const nodeInactive: Rule = {
  name: 'HubNodeInactive',
  severity: 'critical',
  forMs: 60_000,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubNodesLapsed', equal: 'cause' }],
  evaluate(view) {
    const causeOf = causesOfLapses(view);
    return judgeEachNode(view, (target, reading) => judge(target, reading, view, causeOf));
  },
};

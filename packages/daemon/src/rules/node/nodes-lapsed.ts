import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Verdict } from '../../checks/verdict.js';
import { type NodeTarget, nodeTargets } from '../../checks/node/watched-nodes.js';
import type { Lapse } from '../../ledger/lapses.js';
import { counted, span, utc } from '../../words.js';
import { wholeMs } from '../../whole-ms.js';
import { networkName } from '../../config/network-name.js';
import type { Rule, RuleView } from '../rule.js';
import { isUnread, type NodeNow, nodesNow } from './each-node.js';

/** Minimum number of nodes that become inactive in one block for one common alert: two may be a coincidence. */
const together = 3;

/** A node that became inactive in a block. */
interface LapsedNode {
  readonly target: NodeTarget;
  /** Lapse according to the events of the block; `undefined` if the block was not read. */
  readonly lapse: Lapse | undefined;
  readonly isBack: boolean;
  /** Time from its own deadline to the block, in milliseconds. */
  readonly lateMs: number | undefined;
}

/** Nodes that became inactive in one block. */
interface LapsedBlock {
  readonly atMs: number;
  readonly nodes: readonly LapsedNode[];
}

const nodesLapsedRule = 'HubNodesLapsed';

/** Inactive nodes in a round. */
interface Inactivity {
  /** Blocks in which several watched nodes became inactive, in their order. */
  readonly blocks: readonly LapsedBlock[];
  readonly inactive: readonly NodeTarget[];
  /** Whether a node was not read. */
  readonly isPartial: boolean;
}

const ofRounds = new WeakMap<object, Inactivity>();

/** Computed once for all rules of a round. It reads no more of the view than `nodesNow` does. */
const inactivityOf = (view: RuleView): Inactivity => {
  const nodeAt = nodesNow(view);
  const { round = view } = view;
  const found = ofRounds.get(round) ?? findInactivity(view, nodeAt);
  ofRounds.set(round, found);
  return found;
};

/**
 * Finds the nodes that became inactive in each block from its events. For a block that was not read, it uses the status times
 * in the node readings.
 */
const findInactivity = (view: RuleView, nodeAt: ReturnType<typeof nodesNow>): Inactivity => {
  const blocks = new Map<number, LapsedNode[]>();
  const add = (atMs: number, node: LapsedNode): void => {
    const nodes = blocks.get(atMs);
    if (nodes === undefined) blocks.set(atMs, [node]);
    else nodes.push(node);
  };
  const all = nodeTargets(view.config);
  const inactive: NodeTarget[] = [];
  let isPartial = false;
  const lapses = view.ledger.recentLapses();
  const indexes = new Map(lapses.length === 0 ? [] : all.map(({ key }, index) => [key, index]));
  const noted = new Set<string>();
  for (const lapse of lapses) {
    const index = indexes.get(lapse.node) ?? -1;
    const target = all[index];
    if (target === undefined || lapse.blockMs === undefined) continue;
    noted.add(`${lapse.node} ${lapse.blockMs}`);
    add(lapse.blockMs, { target, lapse, isBack: lapse.isBack, lateMs: lateOf(nodeAt(index), lapse.blockMs) });
  }
  for (const [index, target] of all.entries()) {
    const now = nodeAt(index);
    const node = now?.reading.node;
    if (now === undefined) isPartial = true;
    if (now === undefined || node?.status !== Status.STATUS_INACTIVE) continue;
    inactive.push(target);
    if (node.statusAt === undefined) continue;
    if (isUnread(now.reading, view)) continue;
    const atMs = wholeMs(node.statusAt);
    if (noted.has(`${target.key} ${atMs}`)) continue;
    const lapse = view.ledger.lapse(target.key, node.statusAt);
    add(atMs, { target, lapse, isBack: false, lateMs: lateOf(now, atMs) });
  }
  const several = [...blocks]
    .filter(([, nodes]) => nodes.length >= together)
    .map(([atMs, nodes]): LapsedBlock => ({ atMs, nodes }))
    .toSorted((a, b) => a.atMs - b.atMs);
  return { blocks: several, inactive, isPartial };
};

/** `undefined` if the previous heartbeat or the timeout is not known. */
const lateOf = (now: NodeNow | undefined, atMs: number): number | undefined => {
  const { lastBeatMs, timeoutMs } = now?.reading ?? {};
  return lastBeatMs === undefined || timeoutMs === undefined || lastBeatMs >= atMs
    ? undefined
    : atMs - lastBeatMs - timeoutMs;
};

const stillInactive = ({ nodes }: LapsedBlock): readonly LapsedNode[] => nodes.filter(({ isBack }) => !isBack);

/**
 * Returns the common alert, if any, that reports the lapse of a node at a given time. When only few nodes are left, each has
 * its own notice.
 */
export const causesOfLapses = (view: RuleView): ((node: string, atMs: number) => Pick<Verdict, 'cause'>) => {
  const cause = { rule: nodesLapsedRule, subject: networkName(view.config) };
  const many = inactivityOf(view).blocks.filter((block) => stillInactive(block).length >= together);
  const told = new Map(many.map(({ atMs, nodes }) => [atMs, new Set(nodes.map(({ target }) => target.key))]));
  return (node, atMs) => (told.get(atMs)?.has(node) === true ? { cause } : {});
};

/**
 * Several watched nodes became inactive in one block. After a chain halt longer than the timeout, the first block does this to
 * every node, and one message reports all of them. The alert ends when all of them are active again.
 */
export const nodesLapsed: Rule = {
  name: nodesLapsedRule,
  severity: 'critical',
  forMs: 0,
  time: 'chain',
  prometheus: {
    expr: `count_values without (node) ("since",
  hub_node_status_timestamp_seconds
  and ignoring (status) hub_node_status{status="active"} == 0
) >= ${together}`,
    labels: ['since'],
    summary:
      '{{ $value | printf "%.0f" }} watched nodes became inactive in the same block at {{ $labels.since | humanizeTimestamp }}',
    description:
      'Their leases ended in that block. This happens in the first block after a halt of the chain. Otherwise check what their status transactions have in common, such as a server, a fee account or an endpoint.',
    difference:
      'In Prometheus it ends when fewer than three of them are inactive. The daemon waits until all are active again.',
  },
  evaluate(view) {
    const subject = networkName(view.config);
    const { blocks } = inactivityOf(view);
    const newest = blocks.findLast((block) => stillInactive(block).length > 0);
    if (newest === undefined) return [{ ...nothing(subject, inactivityOf(view)), subject, term: '' }];
    const { atMs, nodes } = newest;
    const left = stillInactive(newest);
    return [
      {
        subject,
        term: utc(atMs),
        state: 'firing',
        title: `${subject}: ${counted(nodes.length, 'node')} went inactive in one block at ${utc(atMs)}`,
        text: [
          ...causeLines(nodes),
          '',
          leasesText(nodes),
          '',
          ...namesText(nodes),
          ...(left.length < nodes.length
            ? ['', `${nodes.length - left.length} of them are active again. Still inactive:`, ...namesText(left)]
            : []),
        ].join('\n'),
      },
    ];
  },
};

const nothing = (
  name: string,
  { blocks, inactive, isPartial }: Inactivity,
): Pick<Verdict, 'state' | 'title' | 'text'> => {
  const last = blocks.at(-1);
  if (last !== undefined) {
    const title = `${name}: the ${counted(last.nodes.length, 'node')} that went inactive in one block are back`;
    const text = [`All that went inactive at ${utc(last.atMs)} became active again:`, ...namesText(last.nodes)];
    return { state: 'ok', title, text: text.join('\n') };
  }
  if (isPartial) return { state: 'unknown', title: `${name}: not every node was read`, text: '' };
  if (inactive.length === 0) return { state: 'ok', title: `${name}: no watched node is inactive`, text: '' };
  return {
    state: 'ok',
    title: `${name}: ${counted(inactive.length, 'node')} still inactive, each has its own alert`,
    text: inactive.map(({ title }) => `- ${title}`).join('\n'),
  };
};

/** Reason why the nodes became inactive. After a chain pause the block came later than their own deadlines. */
const causeLines = (nodes: readonly LapsedNode[]): readonly string[] => {
  const own = nodes.filter(({ lapse }) => lapse?.cause === 'message').length;
  const byMessage = own === 0 ? [] : [`Status messages of their own made ${own} of them inactive.`];
  if (own === nodes.length) return byMessage;
  const longestMs = Math.max(
    0,
    ...nodes.flatMap(({ lapse, lateMs }) => (lapse?.cause === 'message' ? [] : (lateMs ?? []))),
  );
  return [
    ...byMessage,
    longestMs >= 60_000
      ? `The chain stood still: this block came ${span(longestMs)} after the first of their deadlines, and every deadline in the pause passed in it.`
      : 'Look for what their status transactions have in common, such as one server, one fee account or one endpoint.',
  ];
};

const leasesText = (nodes: readonly LapsedNode[]): string => {
  const known = nodes.flatMap(({ lapse }) => lapse ?? []);
  const ended = known.flatMap((lapse) => lapse.ended);
  const unread = nodes.length - known.length;
  const rest = unread === 0 ? '' : ` Of ${counted(unread, 'node')} the events were not read.`;
  return `${counted(ended.length, 'lease')} ended with them.${rest}`;
};

/** All nodes, those that lost most leases first: a channel with a length limit truncates the end. */
const namesText = (nodes: readonly LapsedNode[]): readonly string[] =>
  nodes
    .map(({ target, lapse }) => ({ title: target.title, ended: lapse?.ended.length ?? 0 }))
    .toSorted((a, b) => b.ended - a.ended)
    .map(({ title, ended }) => `- ${title}${ended === 0 ? '' : `, ${counted(ended, 'lease')}`}`);

import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { parameters } from '../../checks/chain/parameters.js';
import { defaultTimeoutMs } from '../../checks/node/heartbeat-interval.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import { type NodeReading, type NodeTarget, nodeTargets, watchedNodes } from '../../checks/node/watched-nodes.js';
import { counted, span, utc } from '../../words.js';
import { networkName } from '../../config/network-name.js';
import type { Rule, RuleView } from '../rule.js';

/** Nodes that go inactive in one block and are told of together: two may be chance. */
const together = 3;
/** Titles that are written out in the notice. */
const namesShown = 40;

interface LapsedNode {
  readonly target: NodeTarget;
  readonly reading: NodeReading;
}

const nodesLapsedRule = 'HubNodesLapsed';

/** Nodes that went inactive in one block, by its time in milliseconds. A lapse in a block of its own is not among them. */
const lapsedTogether = ({ config, observations }: RuleView): ReadonlyMap<number, readonly LapsedNode[]> => {
  const blocks = new Map<number, LapsedNode[]>();
  for (const target of nodeTargets(config)) {
    const outcome = observations.outcome(watchedNodes, target.key);
    const reading = outcome?.state === 'known' ? outcome.reading : undefined;
    const node = reading?.node;
    if (reading === undefined || node?.status !== Status.STATUS_INACTIVE || node.statusAt === undefined) continue;
    const atMs = msOf(node.statusAt);
    blocks.set(atMs, [...(blocks.get(atMs) ?? []), { target, reading }]);
  }
  return new Map([...blocks].filter(([, nodes]) => nodes.length >= together));
};

/** For the time of a node's lapse, the alert that tells of it together with others, if one may. */
export const causesOfLapses = (view: RuleView): ((atMs: number) => Pick<Verdict, 'cause'>) => {
  const blocks = lapsedTogether(view);
  const cause = { rule: nodesLapsedRule, subject: networkName(view.config) };
  return (atMs) => (blocks.has(atMs) ? { cause } : {});
};

/**
 * Several watched nodes went inactive in one block. After a chain stood still for longer than the timeout its first block
 * does that to every node, and one message tells of all.
 */
export const nodesLapsed: Rule = {
  name: nodesLapsedRule,
  severity: 'critical',
  // Shorter than that of the single nodes, so that it fires before them, and long enough for all of them to be read once more.
  forMs: 30_000,
  time: 'chain',
  evaluate(view) {
    const subject = networkName(view.config);
    const [newest] = [...lapsedTogether(view)].toSorted(([a], [b]) => b - a);
    if (newest === undefined) return [{ ...nothing(view), subject, term: '' }];
    const [atMs, nodes] = newest;
    return [
      {
        subject,
        term: utc(atMs),
        state: 'firing',
        title: `${subject}: ${counted(nodes.length, 'node')} went inactive in one block at ${utc(atMs)}`,
        text: [causeText(view, nodes, atMs), '', leasesText(view, nodes), '', namesText(nodes)].join('\n'),
      },
    ];
  },
};

const nothing = ({ config, observations }: RuleView): Pick<Verdict, 'state' | 'title' | 'text'> => {
  const isRead = nodeTargets(config).every(({ key }) => observations.outcome(watchedNodes, key)?.state === 'known');
  if (!isRead) return { state: 'unknown', title: `${networkName(config)}: not every node was read`, text: '' };
  const text = 'Nodes that are still inactive are told of one by one.';
  return { state: 'ok', title: `${networkName(config)}: the nodes that went inactive together are back`, text };
};

/** How much later than a node's own deadline the block came in which it lapsed: the chain made no block in between. */
const causeText = ({ config, observations }: RuleView, nodes: readonly LapsedNode[], atMs: number): string => {
  const outcome = observations.outcome(parameters, networkName(config));
  const params = outcome?.state === 'known' ? outcome.reading.params.node : undefined;
  const timeoutMs = params === undefined ? defaultTimeoutMs : msOf(params.statusTimeout);
  const lateMs = nodes.flatMap(({ reading }) => reading.lastBeatMs ?? []).map((beatMs) => atMs - beatMs - timeoutMs);
  const longestMs = Math.max(0, ...lateMs);
  return longestMs >= 60_000
    ? `The chain stood still: this block came ${span(longestMs)} after the first of their deadlines, and every deadline in the pause passed in it.`
    : 'Look for what their status transactions have in common, such as one server, one fee account or one endpoint.';
};

const leasesText = ({ ledger }: RuleView, nodes: readonly LapsedNode[]): string => {
  const lapses = nodes.map(
    ({ reading }) => reading.node?.statusAt && ledger.lapse(reading.node.address, reading.node.statusAt),
  );
  const known = lapses.flatMap((lapse) => lapse ?? []);
  const ended = known.flatMap((lapse) => lapse.ended);
  const unread = nodes.length - known.length;
  const rest = unread === 0 ? '' : ` Of ${counted(unread, 'node')} the events were not read.`;
  return `${counted(ended.length, 'lease')} ended with them.${rest}`;
};

const namesText = (nodes: readonly LapsedNode[]): string => {
  const names = nodes.slice(0, namesShown).map(({ target }) => `- ${target.title}`);
  return [...names, ...(nodes.length > namesShown ? [`- and ${nodes.length - namesShown} more`] : [])].join('\n');
};

import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { fromMillis } from '@hubwatch/types/runtime/time';
import type { Moment } from '../../checks/check.js';
import type { Verdict } from '../../checks/verdict.js';
import { type NodeReading, type NodeTarget, nodeTargets, watchedNodes } from '../../checks/node/watched-nodes.js';
import type { Config } from '../../config/schema.js';
import type { LedgerView, StatusEvent } from '../../ledger/ledger.js';
import type { RuleView } from '../rule.js';
import { leaseCount } from './leases-at-stake.js';

/** Yields a verdict for every watched node: from `judge` if its state is known, otherwise `unknown` with the reason. */
export function* judgeEachNode(
  view: RuleView,
  judge: (target: NodeTarget, reading: NodeReading, moment: Moment) => Verdict,
): Generator<Verdict, void> {
  const nodeAt = nodesNow(view);
  for (const [index, target] of nodeTargets(view.config).entries()) {
    const now = nodeAt(index);
    yield now === undefined ? notRead(view, target) : withLeases(view, judge(target, now.reading, now.moment));
  }
}

/**
 * The same for a rule that depends only on the target and its reading. The verdict is created once for each reading, because
 * only few of thousands of nodes are read between two rounds.
 */
export const judgeEachReading = (
  judge: (target: NodeTarget, reading: NodeReading) => Verdict,
): ((view: RuleView) => Iterable<Verdict>) => {
  let ofConfig: { readonly config: Config; readonly made: Made[] } | undefined;
  return (view) => {
    ofConfig = ofConfig?.config === view.config ? ofConfig : { config: view.config, made: [] };
    return judgeNewReadings(view, ofConfig.made, judge);
  };
};

interface Made {
  readonly reading: NodeReading;
  readonly verdict: Verdict;
}

/** `made` contains the last verdict of each node, by the index of its target. */
function* judgeNewReadings(
  view: RuleView,
  made: Made[],
  judge: (target: NodeTarget, reading: NodeReading) => Verdict,
): Generator<Verdict, void> {
  const nodeAt = nodesNow(view);
  for (const [index, target] of nodeTargets(view.config).entries()) {
    const now = nodeAt(index);
    if (now === undefined) {
      yield notRead(view, target);
      continue;
    }
    let known = made[index];
    if (known?.reading !== now.reading) {
      known = { reading: now.reading, verdict: judge(target, now.reading) };
      made[index] = known;
    }
    yield withLeases(view, known.verdict);
  }
}

const withLeases = (view: RuleView, verdict: Verdict): Verdict =>
  verdict.state === 'firing' ? { leases: leaseCount(view, verdict.subject), ...verdict } : verdict;

const notRead = (view: RuleView, target: NodeTarget): Verdict => {
  const outcome = view.observations.outcome(watchedNodes, target.key);
  return {
    subject: target.key,
    term: '',
    state: 'unknown',
    title: `${target.title}: not read`,
    text: outcome?.state === 'failed' ? outcome.text : '',
  };
};

export interface NodeNow {
  readonly reading: NodeReading;
  /** Time for which the reading is current. */
  readonly moment: Moment;
}

type NodesView = Pick<RuleView, 'config' | 'observations' | 'ledger' | 'head' | 'round'>;

/** Nodes that were looked up in a round, by the index of their target; `null` for a node that was not read. */
interface NodesOfRound {
  readonly nodes: (NodeNow | null)[];
  readonly events: ReturnType<LedgerView['followed']>;
}

const ofRounds = new WeakMap<object, NodesOfRound>();

/**
 * Returns a function that finds a watched node by the index of its target, from its last reading and the events since. A status
 * event newer than the reading replaces its status. A reading counts as current if every block after it was read. Returns
 * `undefined` for a node that was not read. All rules of a round get the same result.
 */
export const nodesNow = (view: NodesView): ((index: number) => NodeNow | undefined) => {
  const { config, observations, ledger, head, round = view } = view;
  const targets = nodeTargets(config);
  const { nodes, events } = ofRounds.get(round) ?? { nodes: [], events: ledger.followed() };
  ofRounds.set(round, { nodes, events });
  // A rule is evaluated again when nodes are read, regardless of which rule looked them up first.
  if (targets[0] !== undefined) observations.outcome(watchedNodes, targets[0].key);
  const look = (key: string): NodeNow | undefined => {
    const outcome = observations.outcome(watchedNodes, key);
    if (outcome?.state !== 'known') return undefined;
    const { reading, moment } = outcome;
    const isFollowed =
      events !== undefined &&
      head !== undefined &&
      reading.height !== undefined &&
      events.from <= reading.height + 1n &&
      events.to >= head.height;
    return {
      reading: withNewestStatus(reading, ledger, key),
      moment: isFollowed ? momentAt(moment, head) : moment,
    };
  };
  return (index) => {
    const target = targets[index];
    if (target === undefined) return undefined;
    const now = (nodes[index] ??= look(target.key) ?? null);
    return now ?? undefined;
  };
};

/** Times of readings with the latest head seen with them; all readings of a round share one. */
const moved = new WeakMap<Moment, Moment>();

const momentAt = (moment: Moment, head: Moment['head']): Moment => {
  const known = moved.get(moment);
  if (known !== undefined && known.head === head) return known;
  const present = { ...moment, head };
  moved.set(moment, present);
  return present;
};

/**
 * Whether the ledger has not yet read the block of this status; its events name the leases that ended. Rules wait for the
 * ledger only while it keeps up with the head, which takes one round, so that it cannot delay a fact of the chain.
 */
export const isUnread = ({ height }: NodeReading, { ledger }: Pick<RuleView, 'ledger'>): boolean => {
  const position = ledger.position();
  return ledger.isKept && ledger.isCurrent() && (position === undefined || position < (height ?? 0n));
};

/** Readings with the latest event that replaced their status. */
const replaced = new WeakMap<NodeReading, { readonly event: StatusEvent; readonly reading: NodeReading }>();

const withNewestStatus = (reading: NodeReading, ledger: LedgerView, address: string): NodeReading => {
  const { node, height, timeoutMs } = reading;
  const event = ledger.newestStatus(address);
  const blockMs = event?.blockMs;
  if (node === undefined || event === undefined || height === undefined || event.height <= height) return reading;
  if (blockMs === undefined || (event.isActive && timeoutMs === undefined)) return reading;
  const known = replaced.get(reading);
  if (known?.event === event) return known.reading;
  const present: NodeReading = {
    ...reading,
    height: event.height,
    lastBeatMs: event.isActive ? blockMs : reading.lastBeatMs,
    node: {
      ...node,
      status: event.isActive ? Status.STATUS_ACTIVE : Status.STATUS_INACTIVE,
      statusAt: fromMillis(blockMs),
      inactiveAt: event.isActive && timeoutMs !== undefined ? fromMillis(blockMs + timeoutMs) : undefined,
    },
  };
  replaced.set(reading, { event, reading: present });
  return present;
};

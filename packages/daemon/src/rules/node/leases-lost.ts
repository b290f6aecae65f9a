import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { nodeLeases } from '../../checks/node/node-leases.js';
import type { NodeReading, NodeTarget } from '../../checks/node/watched-nodes.js';
import type { Verdict } from '../../checks/verdict.js';
import type { LedgerRow } from '../../ledger/ledger-row.js';
import { counted, utc } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';
import { nameOf } from '../name-of.js';
import { judgeEachNode } from './each-node.js';
import { onceForReading } from '../once-for-reading.js';

/** Maximum number of lines in a notice. */
const linesShown = 40;

/**
 * Leases that a node lost when it became inactive in the last days and does not have again. A node has at most one lease with a
 * provider, so a current lease replaces the one that ended.
 */
export const lostLeases = ({ ledger, observations }: RuleView, node: string): readonly LedgerRow[] => {
  const all = ledger.lostToLapses(node);
  if (all.length === 0) return all;
  const outcome = observations.outcome(nodeLeases, node);
  const leases = outcome?.state === 'known' ? outcome.reading.leases : [];
  const providers = new Set(leases.map(({ provAddress }) => provAddress));
  return all.filter(({ provider }) => !providers.has(provider));
};

/** One line for each lease that was not restored. */
export const lostLines = (view: Pick<RuleView, 'config'>, lost: readonly LedgerRow[]): readonly string[] => [
  ...lost
    .slice(0, linesShown)
    .map(
      ({ record, provider, blockMs }) =>
        `- lease ${record} of ${provider === '' ? 'an unknown provider' : nameOf(view, provider)}${blockMs === undefined ? '' : `, ended ${utc(blockMs)}`}`,
    ),
  ...(lost.length > linesShown ? [`- and ${lost.length - linesShown} more`] : []),
];

const judgeWithout = onceForReading(
  ({ key, title }: NodeTarget): Verdict => ({
    ...{ subject: key, term: '', state: 'ok', isEnded: true },
    ...{ title: `${title}: no lease lost in the last days`, text: '' },
  }),
);

const judge = (target: NodeTarget, reading: NodeReading, view: RuleView): Verdict => {
  if (view.ledger.lostToLapses(target.key).length === 0) return judgeWithout(target, reading);
  const { node } = reading;
  const lost = lostLeases(view, target.key);
  const base = { subject: target.key, term: '' };
  // While the node is inactive, the alert about this is the relevant one.
  if (node?.status !== Status.STATUS_ACTIVE)
    return { ...base, state: 'unknown', title: `${target.title}: not active`, text: '' };
  if (view.observations.outcome(nodeLeases, target.key)?.state !== 'known')
    return { ...base, state: 'unknown', title: `${target.title}: its leases are not known`, text: '' };
  if (lost.length === 0)
    return { ...base, state: 'ok', title: `${target.title}: leased again by all who had leased it`, text: '' };
  const verb = lost.length === 1 ? 'is' : 'are';
  return {
    ...base,
    state: 'firing',
    title: `${target.title}: ${counted(lost.length, 'lease')} that ended when it went inactive ${verb} not back`,
    text: [
      'The node is active again, and the chain does not restore what ended when it went inactive:',
      ...lostLines(view, lost),
      ...plansNotBack(view, target.key, lost),
      '',
      'Their providers have to start new leases.',
      `Node: ${target.key}`,
    ].join('\n'),
  };
};

/** Plans that the node left with these leases and is not linked to again. */
const plansNotBack = (view: RuleView, node: string, lost: readonly LedgerRow[]): readonly string[] => {
  const left = lostLinks(view, node, lost);
  return left.length === 0
    ? []
    : [`It left ${left.join(', ')} with them. The providers have to link it again once they lease it.`];
};

const lostLinks = (view: RuleView, node: string, lost: readonly LedgerRow[]): readonly string[] => {
  const pairs = new Set(lost.map(({ height, provider }) => `${height} ${provider}`));
  return view.ledger
    .recentLapses()
    .filter((lapse) => lapse.node === node)
    .flatMap(({ height, unlinked }) => unlinked.filter(({ provider }) => pairs.has(`${height} ${provider}`)))
    .map(({ plan, provider }) => `plan ${plan} of ${nameOf(view, provider)}`);
};

/** A node is active again and does not have the leases that it lost: a return does not restore them. */
export const leasesLost: Rule = {
  name: 'HubNodeLeasesLost',
  severity: 'warning',
  forMs: 120_000,
  time: 'chain',
  prometheus: { notInMetrics: 'No metric shows which of the leases that a node lost were started again.' },
  evaluate: (view) => judgeEachNode(view, (target, reading) => judge(target, reading, view)),
};

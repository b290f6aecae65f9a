import { isOtherNode, nodeReach, type ProbedAddress, type ReachReading } from '../../checks/node/reach/node-reach.js';
import { type NodeTarget, nodeTargets } from '../../checks/node/watched-nodes.js';
import type { Verdict } from '../../checks/verdict.js';
import { cut } from '../../words.js';
import { judgeEach } from '../judge-each.js';
import type { Rule, RuleView } from '../rule.js';
import { leaseCount } from './leases-at-stake.js';

const judgeReach = (
  view: RuleView,
  judge: (target: NodeTarget, reading: ReachReading) => Omit<Verdict, 'subject' | 'term' | 'leases'>,
): Iterable<Verdict> =>
  view.config.watch.reach.enabled
    ? judgeEach(nodeTargets(view.config), (target) => {
        const base = { subject: target.key, term: '', leases: leaseCount(view, target.key) };
        const outcome = view.observations.outcome(nodeReach, target.key);
        if (outcome?.state === 'known') return { ...base, ...judge(target, outcome.reading) };
        return { ...base, state: 'unknown', title: `${target.title}: not tried`, text: outcome?.text ?? '' };
      })
    : [];

const line = ({ address, outcome }: ProbedAddress): string =>
  `- ${cut(address, 200)}: ${outcome.state === 'reached' ? 'answers' : `${outcome.reason} (${outcome.text})`}`;

/** None of the published addresses of a node responds from here. */
export const nodeUnreachable: Rule = {
  name: 'HubNodeUnreachable',
  severity: 'warning',
  forMs: 300_000,
  time: 'clock',
  // During this alert this machine has no network connection, and no node is reachable from it.
  inhibitedBy: [{ rule: 'HubAllEndpointsDown', equal: 'chain' }],
  prometheus: {
    expr: 'max without (address_index) (hub_node_reachable) == 0',
    labels: ['node'],
    summary: '{{ $labels.node }}: not reachable at its published addresses',
    description:
      'Users cannot connect, but the node stays active on the chain. The daemon tried TCP and TLS from its own machine. Check the node, its port and its firewall.',
    difference: 'Addresses that the daemon does not try, such as private ones, have no series.',
  },
  evaluate: (view) =>
    judgeReach(view, ({ key, title }, { addresses }) => {
      if (addresses.length === 0) return { state: 'unknown', title: `${title}: publishes no address`, text: '' };
      if (addresses.some(({ outcome }) => outcome.state === 'reached'))
        return { state: 'ok', title: `${title}: can be reached`, text: '' };
      return {
        state: 'firing',
        title: `${title}: cannot be reached at ${addresses.length === 1 ? 'its address' : 'any of its addresses'}`,
        text: [
          ...addresses.map(line),
          '',
          'Tried from where this monitor runs, over TCP and TLS. The chain does not notice: the node stays active, and users cannot connect.',
          `Node: ${key}`,
        ].join('\n'),
      };
    }),
};

/** Another node responds at the published address of this one. */
export const nodeIdentityMismatch: Rule = {
  name: 'HubNodeIdentityMismatch',
  severity: 'warning',
  forMs: 300_000,
  time: 'clock',
  prometheus: {
    expr: 'min without (address_index) (hub_node_identity_matches) == 0',
    labels: ['node'],
    summary: '{{ $labels.node }}: a different node responds at its address',
    description:
      'Users who select this node reach the other one. Check whether its address was copied, or its machine was handed over.',
  },
  evaluate: (view) =>
    judgeReach(view, ({ key, title }, { addresses }) => {
      const others = addresses.filter(({ outcome }) => isOtherNode(key, outcome) === true);
      if (others.length === 0)
        return { state: 'ok', title: `${title}: no other node answers at its address`, text: '' };
      return {
        state: 'firing',
        title: `${title}: another node answers at its address`,
        text: [
          ...others.map(
            ({ address, outcome }) =>
              `- ${cut(address, 200)}: ${(outcome.state === 'reached' ? outcome.info?.address : undefined) ?? 'another node'}`,
          ),
          '',
          'The identity does not match: users who come for this node reach the other one. Look for an address that was copied, or a machine that changed hands.',
          `Node: ${key}`,
        ].join('\n'),
      };
    }),
};

import type { Moment } from '../../checks/check.js';
import { nodeSessions, type SessionsReading } from '../../checks/node/node-sessions.js';
import { type NodeTarget, nodeTargets } from '../../checks/node/watched-nodes.js';
import type { Verdict } from '../../checks/verdict.js';
import { judgeEach } from '../judge-each.js';
import type { RuleView } from '../rule.js';

/** Creates a verdict on the sessions of every watched node, `unknown` with the reason if they were not read. */
export const judgeEachNodesSessions = (
  view: RuleView,
  judge: (target: NodeTarget, reading: SessionsReading, moment: Moment) => Omit<Verdict, 'subject' | 'term'>,
): Iterable<Verdict> =>
  judgeEach(nodeTargets(view.config), (target) => {
    const base = { subject: target.key, term: '' };
    const outcome = view.observations.outcome(nodeSessions, target.key);
    if (outcome?.state === 'known') return { ...base, ...judge(target, outcome.reading, outcome.moment) };
    return { ...base, state: 'unknown', title: `${target.title}: sessions not read`, text: outcome?.text ?? '' };
  });

import type { Moment } from '../../checks/check.js';
import type { Verdict } from '../../checks/verdict.js';
import { type NodeReading, type NodeTarget, nodeTargets, watchedNodes } from '../../checks/node/watched-nodes.js';
import type { RuleView } from '../rule.js';

/** A verdict for every watched node: `judge` where the node was read, `unknown` with the reason where it was not. */
export const judgeEachNode = (
  view: RuleView,
  judge: (target: NodeTarget, reading: NodeReading, moment: Moment) => Verdict,
): readonly Verdict[] =>
  nodeTargets(view.config).map((target): Verdict => {
    const outcome = view.observations.outcome(watchedNodes, target.key);
    if (outcome?.state === 'known') return judge(target, outcome.reading, outcome.moment);
    return {
      subject: target.key,
      term: '',
      state: 'unknown',
      title: `${target.title}: not read`,
      text: outcome?.text ?? '',
    };
  });

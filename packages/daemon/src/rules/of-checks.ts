import type { Check } from '../checks/check.js';
import { judgeEach } from './judge-each.js';
import type { Rule } from './rule.js';

/** Converts rules declared by checks to the form of all other rules. */
export const rulesOfChecks = (checks: readonly Check[]): readonly Rule[] =>
  checks.flatMap((check) =>
    (check.rules ?? []).map((declared): Rule => {
      return {
        ...declared,
        evaluate: ({ config, observations }) =>
          judgeEach(check.targets(config), (target) => {
            const outcome = observations.outcome(check, target.key);
            if (outcome?.state === 'known') return declared.judge(target, outcome.reading, outcome.moment);
            return { subject: target.key, term: '', state: 'unknown', title: `${target.key}: not read`, text: '' };
          }),
      };
    }),
  );

import type { Verdict } from '../checks/verdict.js';
import { nearestKey } from '../config/nearest-key.js';
import type { Found } from '../config/problem.js';
import { memberOf } from '../config/repeated-names.js';
import type { Config } from '../config/schema.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Rule, RuleView } from './rule.js';

/** What one rule said in one round; `undefined` verdicts: it threw, and nothing changes. */
export interface Judged {
  readonly rule: Rule;
  readonly verdicts: readonly Verdict[] | undefined;
  /** Subjects may be missing that could not be read. */
  readonly isPartial?: boolean;
}

/** Settings for rules that do not exist. */
export const unknownRules =
  (rules: readonly Rule[]) =>
  (written: unknown): Found[] => {
    const names = rules.map(({ name }) => name);
    return Object.keys(memberOf(memberOf(written, 'alerts'), 'rules') ?? {})
      .filter((name) => !names.includes(name))
      .map((name) => {
        const nearest = nearestKey(name, names);
        const hint = nearest === undefined ? '.' : `; did you mean \`${nearest}\`?`;
        return {
          path: ['alerts', 'rules', name],
          message: `unknown rule \`${name}\`${hint} Allowed: ${names.join(', ')}`,
        };
      });
  };

/** Rules as configured: without those switched off, with the hold times set in the file. */
export const configuredRules = (rules: readonly Rule[], config: Config): readonly Rule[] =>
  rules
    .filter(({ name }) => config.alerts.rules[name]?.enabled !== false)
    .map((rule) => ({ ...rule, forMs: config.alerts.rules[rule.name]?.for ?? rule.forMs }));

/** Asks every rule once. */
export const evaluateRules = (
  rules: readonly Rule[],
  view: RuleView,
  own: OwnMetrics,
  onThrow: (rule: string, error: unknown) => void,
): readonly Judged[] => {
  const end = own.ruleDuration.startTimer();
  own.ruleEvaluations.inc();
  const judged = rules.map((rule): Judged => {
    try {
      return { rule, verdicts: rule.evaluate(view), isPartial: rule.isPartial?.(view) ?? false };
    } catch (error) {
      own.ruleFailures.inc({ alertname: rule.name });
      onThrow(rule.name, error);
      return { rule, verdicts: undefined };
    }
  });
  end();
  return judged;
};

import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { evaluateRules } from '../rules/evaluate.js';
import type { Rule, RuleView } from '../rules/rule.js';
import type { AlertBook } from './alert-book.js';

export interface EvaluationParts {
  readonly rules: readonly Rule[];
  readonly view: () => RuleView;
  readonly alerts: AlertBook;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Notices were written. */
  readonly onNotices: () => void;
}

/** One round from observations to alerts: every rule once, then their verdicts in one commit. */
export const createEvaluation =
  ({ rules, view, alerts, own, failures, onNotices }: EvaluationParts): (() => void) =>
  () => {
    const present = view();
    const judged = evaluateRules(rules, present, own, (rule, error) => {
      failures.failed(`rule ${rule}`, String(error));
    });
    for (const { rule, verdicts } of judged) if (verdicts !== undefined) failures.worked(`rule ${rule.name}`);
    try {
      const notices = alerts.apply(judged, { chainMs: present.head?.timeMs, clockMs: present.clockMs });
      if (notices > 0) onNotices();
      failures.worked('store');
    } catch (error) {
      // Nothing of the round is kept; the next one makes the same changes.
      failures.failed('store', String(error));
    }
  };

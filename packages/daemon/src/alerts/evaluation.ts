import type { Cancel, Clock } from '@hubwatch/client';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { evaluateRules } from '../rules/evaluate.js';
import type { Rule, RuleView } from '../rules/rule.js';
import type { AlertBook } from './alert-book.js';

export interface EvaluationParts {
  readonly rules: readonly Rule[];
  readonly view: () => RuleView;
  readonly alerts: AlertBook;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Notices were written. */
  readonly onNotices: () => void;
}

export interface Evaluation {
  /** One round from observations to alerts: every rule once, then their verdicts in one commit. */
  run(): void;
  /** Monotonic time of the last round that was kept, milliseconds; `undefined` before the first. */
  lastMs(): number | undefined;
  stop(): void;
}

/** Shortest time to the next look at notices that wait for others. */
const shortestMs = 250;

export const createEvaluation = (parts: EvaluationParts): Evaluation => {
  const { rules, view, alerts, clock, own, failures, onNotices } = parts;
  let cancel: Cancel | undefined;
  let isStopped = false;
  let lastMs: number | undefined;

  const run = (): void => {
    if (isStopped) return;
    cancel?.();
    cancel = undefined;
    const present = view();
    const judged = evaluateRules(rules, present, own, (rule, error) => {
      failures.failed(`rule ${rule}`, String(error));
    });
    for (const { rule, verdicts } of judged) if (verdicts !== undefined) failures.worked(`rule ${rule.name}`);
    try {
      const { notices, againMs } = alerts.apply(judged, { chainMs: present.head?.timeMs, clockMs: present.clockMs });
      lastMs = clock.monotonicMs();
      if (notices > 0) onNotices();
      if (againMs !== undefined) cancel = clock.setTimeout(run, Math.max(shortestMs, againMs - present.clockMs));
      failures.worked('store');
    } catch (error) {
      // Nothing of the round is kept; the next one makes the same changes.
      failures.failed('store', String(error));
    }
  };
  return {
    run,
    lastMs: () => lastMs,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
};

import type { Verdict } from '../checks/verdict.js';
import { allowedNames, nearestKey } from '../config/nearest-key.js';
import { type Found, listed } from '../config/problem.js';
import { shownKey } from '../config/quoted.js';
import { listMember } from '../config/repeated-names.js';
import type { Config } from '../config/schema.js';
import type { OwnMetrics } from '../own-metrics.js';
import { finish } from '../slices.js';
import type { Rule, RuleView } from './rule.js';
import { haveChanged, type RuleInputs, trackedView } from './rule-inputs.js';

/** What one rule said in one round; `undefined` verdicts: it threw, and nothing changes. */
export interface Judged {
  readonly rule: Rule;
  readonly verdicts: readonly Verdict[] | undefined;
  /** Subjects may be missing that could not be read. */
  readonly isPartial?: boolean;
  /** Nothing that the rule reads has changed: the verdicts are those of an earlier round. */
  readonly isUnchanged?: boolean;
}

/** Settings and maintenance windows of rules that do not exist. */
export const unknownRules =
  (rules: readonly Rule[]) =>
  (written: unknown): Found[] => {
    const names = rules.map(({ name }) => name);
    const known = new Set(names);
    // Problems beyond those that are listed need no hint.
    let hints = listed;
    return rulesWritten(written)
      .filter(({ name }) => !known.has(name))
      .map(({ path, name }) => {
        const nearest = hints-- > 0 ? nearestKey(name, names) : undefined;
        return {
          path,
          message: `unknown rule \`${shownKey(name)}\`${allowedNames(nearest === undefined ? undefined : `\`${nearest}\``, names)}`,
        };
      });
  };

/** Every name of a rule in a configuration, with its place. */
const rulesWritten = (
  written: unknown,
): readonly { readonly path: readonly PropertyKey[]; readonly name: string }[] => {
  const windows = listMember(written, 'maintenance');
  return [
    ...Object.keys(listMember(listMember(written, 'alerts'), 'rules') ?? {}).map((name) => ({
      path: ['alerts', 'rules', name],
      name,
    })),
    ...(Array.isArray(windows) ? windows : []).flatMap((window: unknown, index) => {
      const rules = listMember(window, 'rules');
      return (Array.isArray(rules) ? rules : []).flatMap((name: unknown, at) =>
        typeof name === 'string' && name !== '' ? [{ path: ['maintenance', index, 'rules', at], name }] : [],
      );
    }),
  ];
};

/** Rules as configured: without those switched off, with the hold times set in the file. */
export const configuredRules = (rules: readonly Rule[], config: Config): readonly Rule[] =>
  rules
    .filter(({ name }) => config.alerts.rules[name]?.enabled !== false)
    .map((rule) => ({ ...rule, forMs: config.alerts.rules[rule.name]?.for ?? rule.forMs }));

/** Verdicts after which a caller may let other work run. */
const pieceVerdicts = 50;

/** Evaluates rules again and again, each only when something that it read has changed. */
export class RuleEvaluator {
  private readonly rules: readonly Rule[];
  private readonly own: OwnMetrics;
  private readonly onThrow: (rule: string, error: unknown) => void;
  private readonly last = new Map<string, { readonly judged: Judged; readonly inputs: RuleInputs }>();

  constructor(rules: readonly Rule[], own: OwnMetrics, onThrow: (rule: string, error: unknown) => void) {
    this.rules = rules;
    this.own = own;
    this.onThrow = onThrow;
  }

  /**
   * Verdicts of every rule. A rule whose inputs are the same as before returns its last verdicts, marked as unchanged.
   *
   * @param changedJobs jobs that made readings since the last call; absent when everything may differ
   */
  evaluate(view: RuleView, changedJobs?: ReadonlySet<string>): readonly Judged[] {
    return finish(this.evaluating(view, changedJobs));
  }

  /** The same in pieces, so that a caller can let other work run in between: yields how many verdicts were made. */
  *evaluating(view: RuleView, changedJobs?: ReadonlySet<string>): Generator<number, readonly Judged[]> {
    this.own.ruleEvaluations.inc();
    const judged: Judged[] = [];
    for (const rule of this.rules) judged.push(yield* this.judge(rule, view, changedJobs));
    return judged;
  }

  private *judge(rule: Rule, view: RuleView, changedJobs: ReadonlySet<string> | undefined): Generator<number, Judged> {
    const last = this.last.get(rule.name);
    if (last !== undefined && changedJobs !== undefined && !haveChanged(last.inputs, view, changedJobs)) {
      return { ...last.judged, isUnchanged: true };
    }
    const tracked = trackedView(view);
    try {
      const verdicts: Verdict[] = [];
      for (const verdict of rule.evaluate(tracked.view)) {
        verdicts.push(verdict);
        if (verdicts.length % pieceVerdicts === 0) yield pieceVerdicts;
      }
      yield verdicts.length % pieceVerdicts;
      const judged: Judged = { rule, verdicts, isPartial: rule.isPartial?.(tracked.view) ?? false };
      this.last.set(rule.name, { judged, inputs: tracked.inputs() });
      return judged;
    } catch (error) {
      this.last.delete(rule.name);
      this.own.ruleFailures.inc({ alertname: rule.name });
      this.onThrow(rule.name, error);
      return { rule, verdicts: undefined };
    }
  }
}

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

/** Verdicts of one rule in one round; `undefined` if the rule threw, and nothing changes then. */
export interface Judged {
  readonly rule: Rule;
  readonly verdicts: readonly Verdict[] | undefined;
  /** Whether subjects that could not be read may be missing. */
  readonly isPartial?: boolean;
  /** Whether no input of the rule has changed: the verdicts are those of an earlier round. */
  readonly isUnchanged?: boolean;
}

/** Reports rule settings and maintenance windows that name unknown rules. */
export const unknownRules =
  (rules: readonly Rule[]) =>
  (written: unknown): Found[] => {
    const names = rules.map(({ name }) => name);
    const known = new Set(names);
    // Problems beyond the listed ones need no hint.
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

/** Every rule name in a configuration, with its position. */
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

/** Applies the configuration to rules: removes those that are switched off and sets the configured hold times. */
export const configuredRules = (rules: readonly Rule[], config: Config): readonly Rule[] =>
  rules
    .filter(({ name }) => config.alerts.rules[name]?.enabled !== false)
    .map((rule) => ({ ...rule, forMs: config.alerts.rules[rule.name]?.for ?? rule.forMs }));

/** Number of verdicts after which a caller may let other work run. */
const pieceVerdicts = 50;

/** Evaluates rules in every round, each rule only if one of its inputs has changed. */
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
   * Returns the verdicts of every rule. A rule whose inputs are the same as before returns its last verdicts, marked as
   * unchanged.
   *
   * @param changedJobs jobs that made readings since the last call; absent if everything may have changed
   */
  evaluate(view: RuleView, changedJobs?: ReadonlySet<string>): readonly Judged[] {
    return finish(this.evaluating(view, changedJobs));
  }

  /** The same in parts, so that a caller can let other work run in between: yields the number of verdicts made. */
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

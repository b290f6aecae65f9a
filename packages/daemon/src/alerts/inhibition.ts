import type { Inhibition, RuleDeclaration, Verdict } from '../checks/verdict.js';

interface Inhibitor {
  readonly rule: string;
  readonly subject: string;
  readonly state: string;
}

type Inhibitable = Pick<RuleDeclaration, 'name' | 'inhibitedBy'>;

/**
 * Returns the inhibition of a verdict of `rule` by a firing alert in `alerts`. Each inhibition states the property that both
 * must share, so that a problem of one subject never hides that of another.
 */
export const inhibitionOf = (
  { inhibitedBy = [] }: Inhibitable,
  alerts: Iterable<Inhibitor>,
): ((verdict: Pick<Verdict, 'subject' | 'cause'>) => boolean) => {
  const subjects = new Map<string, Set<string>>();
  for (const { rule, subject, state } of alerts) {
    if (state !== 'firing' || !inhibitedBy.some((one) => one.rule === rule)) continue;
    subjects.set(rule, (subjects.get(rule) ?? new Set()).add(subject));
  }
  return (verdict) => inhibitedBy.some((one) => shares(one, verdict, subjects.get(one.rule)));
};

const shares = (
  { rule, equal }: Inhibition,
  { subject, cause }: Pick<Verdict, 'subject' | 'cause'>,
  firing: ReadonlySet<string> | undefined,
): boolean => {
  if (firing === undefined) return false;
  if (equal === 'chain') return true;
  if (equal === 'cause') return cause?.rule === rule && firing.has(cause.subject);
  return firing.has(subject);
};

/** The same rules, each after those that inhibit it; otherwise in the given order. */
export const inOrderOfInhibition = <T extends { readonly rule: Inhibitable }>(all: readonly T[]): readonly T[] => {
  const byName = new Map(all.map((one) => [one.rule.name, one]));
  const ordered = new Set<T>();
  const visited = new Set<T>();
  const visit = (one: T): void => {
    if (visited.has(one)) return;
    visited.add(one);
    for (const { rule } of one.rule.inhibitedBy ?? []) {
      const inhibitor = byName.get(rule);
      if (inhibitor !== undefined) visit(inhibitor);
    }
    ordered.add(one);
  };
  for (const one of all) visit(one);
  return [...ordered];
};

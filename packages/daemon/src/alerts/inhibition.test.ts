import { expect, test } from 'vitest';
import type { Inhibition } from '../checks/verdict.js';
import { rules } from '../rules/index.js';
import { inhibitionOf, inOrderOfInhibition } from './inhibition.js';

const named = (name: string, ...inhibitedBy: readonly Inhibition[]) => ({ rule: { name, inhibitedBy } });
const firing = (rule: string, subject: string) => ({ rule, subject, state: 'firing' });

test.each<[Inhibition['equal'], string, boolean]>([
  ['subject', 'a', true],
  ['subject', 'b', false],
  ['endpoint', 'a', true],
  ['endpoint', 'b', false],
  ['chain', 'b', true],
])('inhibition: with equal %s, an alert on "a" inhibits a verdict on "%s": %s', (equal, subject, expected) => {
  const { rule } = named('Below', { rule: 'Above', equal });
  expect(inhibitionOf(rule, [firing('Above', 'a')])({ subject })).toBe(expected);
});

test('inhibition: a cause counts only if the rule declares it, and only for the alert that the verdict names', () => {
  const { rule } = named('Below', { rule: 'Above', equal: 'cause' });
  const inhibited = inhibitionOf(rule, [firing('Above', 'a'), firing('Other', 'a')]);
  expect(inhibited({ subject: 'x', cause: { rule: 'Above', subject: 'a' } })).toBe(true);
  expect(inhibited({ subject: 'a', cause: { rule: 'Above', subject: 'b' } })).toBe(false);
  expect(inhibited({ subject: 'a', cause: { rule: 'Other', subject: 'a' } })).toBe(false);
  expect(inhibited({ subject: 'a' })).toBe(false);
});

test('inhibition: an alert that does not fire inhibits nothing', () => {
  const { rule } = named('Below', { rule: 'Above', equal: 'chain' });
  expect(inhibitionOf(rule, [{ rule: 'Above', subject: 'a', state: 'pending' }])({ subject: 'a' })).toBe(false);
});

test('inhibition: rules are ordered after those that inhibit them, from any initial order', () => {
  const a = named('A');
  const b = named('B', { rule: 'A', equal: 'subject' });
  const c = named('C', { rule: 'B', equal: 'subject' }, { rule: 'Absent', equal: 'chain' });
  for (const all of [
    [a, b, c],
    [c, b, a],
    [b, c, a],
    [c, a, b],
  ])
    expect(inOrderOfInhibition(all).map(({ rule }) => rule.name)).toEqual(['A', 'B', 'C']);
});

test('inhibition: every inhibiting rule exists, and no rule inhibits itself through others', () => {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const above = (name: string): readonly string[] =>
    (byName.get(name)?.inhibitedBy ?? []).flatMap(({ rule }) => [rule, ...above(rule)]);
  for (const { name } of rules) {
    expect(above(name).filter((one) => !byName.has(one))).toEqual([]);
    expect(above(name)).not.toContain(name);
  }
});

test('inhibition: only a halted chain and a lost uplink inhibit alerts of every subject', () => {
  const fleetWide = rules.flatMap(({ inhibitedBy = [] }) => inhibitedBy.filter(({ equal }) => equal === 'chain'));
  expect([...new Set(fleetWide.map(({ rule }) => rule))].toSorted()).toEqual(['HubAllEndpointsDown', 'HubChainHalted']);
});

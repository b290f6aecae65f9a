import { expect, test } from 'vitest';
import { createOwnMetrics } from '../own-metrics.js';
import { RuleEvaluator } from './evaluate.js';
import type { Rule, RuleView } from './rule.js';
import { testParts } from '../../test/parts.js';
import { fakeEndpoint } from '../../test/fake-endpoint.js';
import { endpointStatus } from '../checks/endpoint/endpoint-status.js';

const rule = (name: string, look: (view: RuleView) => unknown, seen: string[]): Rule => ({
  name,
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  evaluate(view) {
    seen.push(name);
    look(view);
    return [{ subject: 's', term: '', state: 'ok', title: 't', text: '' }];
  },
});

const viewAt = (height: bigint): RuleView =>
  ({
    ...testParts({ own: fakeEndpoint() }),
    observations: { outcome: () => undefined },
    ledger: {},
    sweeps: {},
    head: { height, timeMs: 1 },
    newest: undefined,
    clockMs: 5,
    awakeMs: 5,
  }) as unknown as RuleView;

test('evaluator: a rule runs again only if one of its inputs may have changed', () => {
  const seen: string[] = [];
  const rules = [
    rule('of a check', ({ observations }) => observations.outcome(endpointStatus, 'own'), seen),
    rule('of the ledger', ({ ledger }) => ledger, seen),
    rule('of the sweeps', ({ sweeps }) => sweeps, seen),
    rule('of the head', ({ head }) => head, seen),
    rule('of time', ({ clockMs }) => clockMs, seen),
    rule('of nothing', () => undefined, seen),
  ];
  const evaluator = new RuleEvaluator(rules, createOwnMetrics(), () => undefined);
  const round = (height: bigint, ...jobs: string[]): string[] => {
    seen.length = 0;
    const judged = evaluator.evaluate(viewAt(height), new Set(jobs));
    const again = judged.filter(({ isUnchanged }) => isUnchanged !== true).map((one) => one.rule.name);
    expect(again).toEqual(seen);
    expect(judged.every(({ verdicts }) => verdicts?.length === 1)).toBe(true);
    return [...seen];
  };
  expect(round(1n)).toHaveLength(rules.length);
  expect(round(1n)).toEqual(['of time']);
  expect(round(1n, endpointStatus.name)).toEqual(['of a check', 'of time']);
  expect(round(1n, 'ledger')).toEqual(['of the ledger', 'of time']);
  expect(round(1n, 'sweeps')).toEqual(['of the sweeps', 'of time']);
  expect(round(2n)).toEqual(['of the head', 'of time']);
  seen.length = 0;
  evaluator.evaluate(viewAt(2n));
  expect(seen).toHaveLength(rules.length);
});

test('evaluator: a rule that threw is evaluated again', () => {
  let throwing = true;
  const broken: Rule = {
    ...rule('broken', () => undefined, []),
    evaluate() {
      if (throwing) throw new Error('bad reading');
      return [];
    },
  };
  const failed: string[] = [];
  const evaluator = new RuleEvaluator([broken], createOwnMetrics(), (name) => failed.push(name));
  expect(evaluator.evaluate(viewAt(1n), new Set())[0]?.verdicts).toBeUndefined();
  throwing = false;
  expect(evaluator.evaluate(viewAt(1n), new Set())[0]?.verdicts).toEqual([]);
  expect(failed).toEqual(['broken']);
});

test('evaluator: a rule that throws between two verdicts has none in this round', () => {
  const broken: Rule = {
    ...rule('broken', () => undefined, []),
    *evaluate() {
      yield { subject: 's', term: '', state: 'firing', title: 't', text: '' };
      throw new Error('bad reading');
    },
  };
  const evaluator = new RuleEvaluator([broken], createOwnMetrics(), () => undefined);
  expect(evaluator.evaluate(viewAt(1n))[0]?.verdicts).toBeUndefined();
});

test('evaluator: inputs read for the last verdict of a rule count as read', () => {
  let evaluations = 0;
  const late: Rule = {
    ...rule('late', () => undefined, []),
    *evaluate({ observations }) {
      evaluations += 1;
      for (let index = 0; index < 200; index += 1) {
        if (index === 199) observations.outcome(endpointStatus, 'own');
        yield { subject: `s${index}`, term: '', state: 'ok', title: 't', text: '' };
      }
    },
  };
  const evaluator = new RuleEvaluator([late], createOwnMetrics(), () => undefined);
  for (const job of ['other', 'other', endpointStatus.name]) evaluator.evaluate(viewAt(1n), new Set([job]));
  expect(evaluations).toBe(2);
});

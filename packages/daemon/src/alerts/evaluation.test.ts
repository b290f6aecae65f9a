import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { createFailureLog, createLogger } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Verdict } from '../checks/verdict.js';
import { judgeEach } from '../rules/judge-each.js';
import type { Rule, RuleView } from '../rules/rule.js';
import type { AlertBook } from './alert-book.js';
import { createEvaluation } from './evaluation.js';

const build = (
  apply: () => void = () => undefined,
  subjects = 1,
  look: () => void = () => undefined,
  isOneByOne = false,
) => {
  const clock = fakeClock();
  const rounds: number[] = [];
  const judgedAgain: boolean[] = [];
  const blocks = { position: 1n, evaluations: 0, verdicts: 0 };
  const verdictOf = (index: number): Verdict => {
    blocks.verdicts += 1;
    return { subject: `s${index}`, term: '', state: 'ok', title: '', text: '' };
  };
  const rule: Rule = {
    ...{ name: 'HubTest', severity: 'warning', forMs: 0, time: 'clock' },
    evaluate: ({ ledger }) => {
      blocks.evaluations += 1;
      const indexes = Array.from({ length: ledger === undefined ? 0 : subjects }, (_, index) => index);
      return isOneByOne ? judgeEach(indexes, verdictOf) : indexes.map(verdictOf);
    },
  };
  const alerts = {
    *applying([judged]: { isUnchanged?: boolean }[]) {
      yield 1;
      rounds.push(clock.monotonicMs());
      judgedAgain.push(judged?.isUnchanged !== true);
      apply();
      return { notices: 0, againMs: undefined };
    },
  } as unknown as AlertBook;
  const view = () => {
    look();
    return { clockMs: clock.nowMs(), ledger: { position: () => blocks.position } } as unknown as RuleView;
  };
  const own = createOwnMetrics();
  const failures = createFailureLog(createLogger('silent'));
  const stall: { lastMs?: number } = {};
  const evaluation = createEvaluation({
    rules: [rule],
    view,
    alerts,
    clock,
    awake: { nowMs: () => clock.monotonicMs(), lastStallMs: () => stall.lastMs },
    own,
    failures,
    onNotices: () => undefined,
  });
  return { clock, rounds, judgedAgain, blocks, stall, evaluation };
};

test('evaluation: many readings within a second give one round at once and one at its end', () => {
  const { clock, rounds, evaluation } = build();
  for (let i = 0; i < 20; i++) {
    evaluation.request('nodes');
    clock.advance(50);
  }
  clock.advance(5_000);
  expect(rounds).toEqual([0, 1_000]);
  expect(clock.pending()).toBe(0);
  evaluation.request('nodes');
  expect(rounds).toEqual([0, 1_000, 6_000]);
});

test('evaluation: after a stall of this process every rule is judged again, even without changes', () => {
  const { clock, judgedAgain, stall, evaluation } = build();
  evaluation.request('nodes');
  clock.advance(2_000);
  evaluation.request('other');
  clock.advance(2_000);
  stall.lastMs = clock.monotonicMs();
  evaluation.request('other');
  clock.advance(2_000);
  evaluation.request('other');
  expect(judgedAgain).toEqual([true, false, true, false]);
});

test('evaluation: a round judges the rules whose inputs changed; the process job concerns all rules', () => {
  const { clock, judgedAgain, evaluation } = build();
  for (const job of ['nodes', 'nodes', 'ledger', 'process']) {
    evaluation.request(job);
    clock.advance(2_000);
  }
  expect(judgedAgain).toEqual([true, false, true, true]);
});

test('evaluation: after a round that could not be stored every rule is judged again', () => {
  let isFull = true;
  const { clock, judgedAgain, evaluation } = build(() => {
    if (isFull) throw new Error('database or disk is full');
  });
  evaluation.request('ledger');
  isFull = false;
  clock.advance(2_000);
  evaluation.request('nodes');
  clock.advance(2_000);
  evaluation.request('nodes');
  expect(judgedAgain).toEqual([true, true, false]);
});

test('evaluation: a large round lets other work run in between, and is applied once', async () => {
  const { rounds, evaluation } = build(() => undefined, 2_500);
  const done = evaluation.run();
  evaluation.request('nodes');
  expect(rounds).toEqual([]);
  await done;
  expect(rounds).toEqual([0]);
});

test('evaluation: a rule that yields its verdicts one by one lets other work run between them', async () => {
  const { rounds, blocks, evaluation } = build(undefined, 2_500, undefined, true);
  const running = evaluation.run();
  expect(blocks.verdicts).toBeGreaterThan(0);
  expect(blocks.verdicts).toBeLessThan(2_500);
  blocks.position += 1n;
  await running;
  expect(rounds).toHaveLength(1);
  expect(blocks).toMatchObject({ evaluations: 2, verdicts: 5_000 });
});

test('evaluation: a stop during a large round ends it before its verdicts are applied', async () => {
  const { rounds, evaluation } = build(() => undefined, 2_500);
  const done = evaluation.run();
  evaluation.stop();
  await done;
  expect(rounds).toEqual([]);
});

test('evaluation: a round that throws is logged, and the next one runs', async () => {
  let isBroken = true;
  const { rounds, evaluation } = build(
    () => undefined,
    1,
    () => {
      if (isBroken) throw new Error('no view');
    },
  );
  await evaluation.run();
  expect(rounds).toEqual([]);
  isBroken = false;
  await evaluation.run();
  expect(rounds).toEqual([0]);
});

test('evaluation: a block read between the parts of a round causes a new judgement before it is applied', async () => {
  const { rounds, blocks, evaluation } = build(undefined, 2_000);
  const running = evaluation.run();
  expect(rounds).toEqual([]);
  blocks.position += 1n;
  await running;
  expect(rounds).toHaveLength(1);
  expect(blocks.evaluations).toBe(2);
});

test('evaluation: blocks read between all parts do not prevent a round from being applied', async () => {
  const { rounds, blocks, evaluation } = build(undefined, 2_000, () => {
    setImmediate(() => void (blocks.position += 1n));
  });
  await evaluation.run();
  expect(rounds).toHaveLength(1);
  expect(blocks.evaluations).toBeLessThanOrEqual(3);
});

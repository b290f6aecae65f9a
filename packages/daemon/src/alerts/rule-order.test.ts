import { expect, test } from 'vitest';
import { time } from '../../test/fake-endpoint.js';
import { nodeAddress, nodeAddressOf, silentLogger, testConfig } from '../../test/parts.js';
import { minute, start, viewOf } from '../../test/rule-view.js';
import { nodeLeases } from '../checks/node/node-leases.js';
import { watchedNodes } from '../checks/node/watched-nodes.js';
import type { Verdict } from '../checks/verdict.js';
import { createOwnMetrics } from '../own-metrics.js';
import { type Judged, RuleEvaluator } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';
import { createAlertBook } from './alert-book.js';
import { notifyingSettings } from './notifying.js';

/** Random numbers in [0, 1), determined by a seed. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const shuffled = <T>(list: readonly T[], random: () => number): readonly T[] =>
  list
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);

test('rules: evaluated in any order, each has the same verdicts', () => {
  const addresses = [nodeAddress, ...[1, 2, 3, 4].map(nodeAddressOf)];
  const reading = (status: number) => ({
    node: { status, statusAt: time(start), inactiveAt: status === 1 ? time(start + 60 * minute) : undefined },
    height: 400n,
    timeoutMs: 60 * minute,
    intervalMs: 55 * minute,
  });
  const view = () =>
    viewOf({
      config: testConfig(['own'], '', {}, addresses),
      readings: addresses.flatMap((address, index) => [
        [watchedNodes, address, reading(index < 3 ? 3 : 1)] as const,
        [nodeLeases, address, { leases: [] }] as const,
      ]),
      nowMs: start + 59 * minute,
    });
  const verdictsIn = (order: typeof rules) => {
    const evaluator = new RuleEvaluator(order, createOwnMetrics(), () => undefined);
    return evaluator
      .evaluate(view())
      .map(({ rule, verdicts }) => [rule.name, verdicts] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  };
  const expected = verdictsIn(rules);
  const firing = expected.filter(([, verdicts]) => verdicts?.some(({ state }) => state === 'firing'));
  expect(firing.map(([name]) => name)).toEqual(
    expect.arrayContaining(['HubNodeHeartbeatLate', 'HubNodeInactive', 'HubNodesLapsed']),
  );
  for (let seed = 1; seed <= 10; seed += 1) expect(verdictsIn(shuffled(rules, randomFrom(seed)))).toEqual(expected);
});

const subjects = ['a', 'b', 'hub'];

/** A verdict of a rule for each subject; the alert that it names as its cause may fire or not. */
const randomVerdicts = (round: number, random: () => number): readonly Judged[] =>
  rules.map((rule) => {
    const causes = (rule.inhibitedBy ?? []).filter(({ equal }) => equal === 'cause');
    const verdicts = subjects.map((subject): Verdict => {
      const lot = random();
      const state = lot < 0.3 ? 'firing' : lot < 0.9 ? 'ok' : 'unknown';
      const cause = causes[Math.floor(random() * causes.length)];
      return {
        ...{ subject, term: random() < 0.9 ? '' : String(round), state, title: `${subject}: ${state}`, text: '' },
        ...(cause && { cause: { rule: cause.rule, subject: subjects[Math.floor(random() * 3)] ?? 'a' } }),
      };
    });
    return { rule, verdicts };
  });

/** Alerts and notices after each of several rounds with verdicts determined by a seed. */
const storyOf = (seed: number, order: (judged: readonly Judged[]) => readonly Judged[]) => {
  const random = randomFrom(seed);
  const said: string[] = [];
  const book = createAlertBook({
    alertStore: { active: () => [], ended: () => [], told: () => [] },
    commit(changes) {
      said.push(...changes.notices.map(({ kind, rule, title }) => `${kind} ${rule} ${title}`).toSorted());
    },
    settings: notifyingSettings(testConfig()),
    quietAt: () => () => undefined,
    start: { clockMs: 0, steadyMs: 0 },
    own: createOwnMetrics(),
    logger: silentLogger,
  });
  return Array.from({ length: 6 }, (_, round) => {
    const atMs = (round + 1) * 10 * minute;
    book.apply(order(randomVerdicts(round, random)), { chainMs: atMs, clockMs: atMs, steadyMs: atMs });
    const alerts = book.active().map(({ rule, subject, term, state }) => `${rule} ${subject} ${term} ${state}`);
    return { alerts: alerts.toSorted(), said: said.splice(0) };
  });
};

test('alerts: rules applied in any order give the same alerts and notices', () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const expected = storyOf(seed, (judged) => judged);
    expect(expected.every(({ alerts, said }) => alerts.length > 20 && said.length > 0)).toBe(true);
    const random = randomFrom(seed + 100);
    expect(storyOf(seed, (judged) => shuffled(judged, random))).toEqual(expected);
    expect(storyOf(seed, (judged) => judged.toReversed())).toEqual(expected);
  }
});

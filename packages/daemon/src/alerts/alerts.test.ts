import { expect, test } from 'vitest';
import { silentLogger, temporaryStore } from '../../test/parts.js';
import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Rule } from '../rules/rule.js';
import type { Store } from '../store/store.js';
import type { Notice } from './alert.js';
import { createAlertBook } from './alert-book.js';
import { createAlertStore } from './alert-store.js';

const declared = (facts: Partial<RuleDeclaration> = {}): Rule => ({
  name: 'R',
  severity: 'warning',
  forMs: 100,
  time: 'clock',
  evaluate: () => [],
  ...facts,
});

const verdict = (state: Verdict['state'], facts: Partial<Verdict> = {}): Verdict => ({
  subject: 's',
  term: '',
  state,
  title: `title ${state}`,
  text: '',
  ...facts,
});

const bookOn = (store: Store) => {
  const told: string[] = [];
  const notices: Notice[] = [];
  const own = createOwnMetrics();
  const alertStore = createAlertStore(store);
  const book = createAlertBook({
    store,
    alertStore,
    enqueue: (notice) => {
      const alert = [...alertStore.active(), ...alertStore.ended(1_000)].find(({ id }) => id === notice.stream);
      told.push(`${notice.kind} ${notice.rule} ${alert?.subject}${alert?.term}`);
      notices.push(notice);
    },
    groups: { group_above: 5, group_wait: 10_000 },
    quietAt: () => () => undefined,
    nowMs: 0,
    own,
    logger: silentLogger,
  });
  /** One round: verdicts of one rule at a time of both clocks. */
  const round = (atMs: number, rule: Rule, ...verdicts: Verdict[]): number =>
    book.apply([{ rule, verdicts }], { chainMs: atMs, clockMs: atMs }).notices;
  return { book, told, notices, own, round };
};

test('alerts: fires when its hold has passed, tells once, and tells the recovery once', () => {
  const { told, round, book } = bookOn(temporaryStore());
  const rule = declared();
  round(0, rule, verdict('firing'));
  round(99, rule, verdict('firing'));
  expect(told).toEqual([]);
  expect(book.active()[0]?.state).toBe('pending');
  expect(round(100, rule, verdict('firing'))).toBe(1);
  round(200, rule, verdict('firing'));
  expect(told).toEqual(['firing R s']);
  expect(round(300, rule, verdict('ok'))).toBe(1);
  round(400, rule, verdict('ok'));
  expect(told).toEqual(['firing R s', 'recovered R s']);
  expect(book.active()).toEqual([]);
  expect(book.ended(10)).toMatchObject([{ rule: 'R', sinceMs: 0, firingMs: 100, endedMs: 300 }]);
});

test('alerts: unknown neither raises nor ends, and a pending one that was ok in between begins anew', () => {
  const { told, round, book } = bookOn(temporaryStore());
  const rule = declared();
  round(0, rule, verdict('unknown'));
  expect(book.active()).toEqual([]);
  round(0, rule, verdict('firing'));
  round(150, rule, verdict('unknown'));
  expect(book.active()[0]?.state).toBe('pending');
  round(160, rule, verdict('ok'));
  round(170, rule, verdict('firing'));
  round(200, rule, verdict('firing'));
  expect(told).toEqual([]);
  round(270, rule, verdict('firing'));
  round(300, rule, verdict('unknown'));
  expect(told).toEqual(['firing R s']);
  expect(book.active()[0]?.state).toBe('firing');
});

test('alerts: a rule that counts in chain time waits for it and does nothing while it is not known', () => {
  const { told, book } = bookOn(temporaryStore());
  const rule = declared({ time: 'chain' });
  const at = (chainMs: number | undefined, clockMs: number) =>
    book.apply([{ rule, verdicts: [verdict('firing')] }], { chainMs, clockMs });
  at(0, 0);
  at(0, 10_000);
  at(undefined, 20_000);
  expect(told).toEqual([]);
  at(100, 20_001);
  expect(told).toEqual(['firing R s']);
});

test('alerts: trouble that went on under another rule ends without a recovery notice', () => {
  const { told, round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing'));
  round(1, rule, verdict('ok', { passedOn: true }));
  expect(told).toEqual(['firing R s']);
  expect(book.active()).toEqual([]);
});

test('alerts: a new term is a new alert, and ends the one of the earlier term', () => {
  const { told, notices, round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing', { term: '1' }));
  round(1, rule, verdict('unknown', { term: '' }));
  expect(book.active()).toHaveLength(1);
  round(2, rule, verdict('firing', { term: '2' }));
  expect(told).toEqual(['firing R s1', 'recovered R s1', 'firing R s2']);
  expect(notices[1]?.title).toBe('title firing: over');
  round(3, rule, verdict('ok', { term: '3' }));
  expect(told.slice(3)).toEqual(['recovered R s2']);
});

test('alerts: a verdict can shorten the hold of its rule, not lengthen it', () => {
  const { told, round } = bookOn(temporaryStore());
  round(0, declared(), verdict('firing', { subject: 'a', forMs: 0 }), verdict('firing', { subject: 'b', forMs: 900 }));
  expect(told).toEqual(['firing R a']);
  round(100, declared(), verdict('firing', { subject: 'b', forMs: 900 }));
  expect(told).toEqual(['firing R a', 'firing R b']);
});

test('alerts: inhibited while the rule above fires; told when that ends and the trouble goes on', async () => {
  const { told, book, own } = bookOn(temporaryStore());
  const above = declared({ name: 'Above', forMs: 0 });
  const below = declared({ forMs: 0, inhibitedBy: [{ rule: 'Above', equal: 'chain' }] });
  const round = (atMs: number, first: Verdict, ...others: Verdict[]) =>
    book.apply(
      [
        { rule: above, verdicts: [first] },
        { rule: below, verdicts: others },
      ],
      { chainMs: atMs, clockMs: atMs },
    );
  const [a, b] = [{ subject: 'a' }, { subject: 'b' }];
  round(0, verdict('firing'), verdict('firing', a), verdict('firing', b));
  round(1, verdict('firing'), verdict('firing', a), verdict('ok', b));
  expect(told).toEqual(['firing Above s']);
  round(2, verdict('ok'), verdict('firing', a), verdict('ok', b));
  expect(told).toEqual(['firing Above s', 'recovered Above s', 'firing R a']);
  expect(await own.registry.getSingleMetricAsString('hubwatch_notifications_suppressed_total')).toContain(
    '{reason="inhibition"} 2',
  );
});

test('alerts: a verdict with a cause is quiet while that very alert fires, and told when it ends and the trouble goes on', () => {
  const { told, book } = bookOn(temporaryStore());
  const above = declared({ name: 'Above', forMs: 0 });
  const below = declared({ forMs: 0, inhibitedBy: [{ rule: 'Above', equal: 'cause' }] });
  const round = (atMs: number, first: Verdict, ...others: Verdict[]) =>
    book.apply(
      [
        { rule: above, verdicts: [first] },
        { rule: below, verdicts: others },
      ],
      { chainMs: atMs, clockMs: atMs },
    );
  const of = (subject: string, cause: string) =>
    verdict('firing', { subject, cause: { rule: 'Above', subject: cause } });
  round(0, verdict('firing', { subject: 'x' }), of('a', 'x'), of('b', 'y'));
  expect(told).toEqual(['firing Above x', 'firing R b']);
  round(1, verdict('ok', { subject: 'x' }), of('a', 'x'), of('b', 'y'));
  expect(told.slice(2)).toEqual(['recovered Above x', 'firing R a']);
});

test('alerts: a restart neither tells again nor loses a hold', () => {
  const store = temporaryStore();
  const rule = declared();
  const first = bookOn(store);
  first.round(0, rule, verdict('firing', { subject: 'a' }));
  first.round(100, rule, verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' }));
  expect(first.told).toEqual(['firing R a']);
  const second = bookOn(store);
  second.round(200, rule, verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' }));
  expect(second.told).toEqual(['firing R b']);
});

test('alerts: a subject that is missing because it could not be read keeps its alert, one that is gone does not', () => {
  const { round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing'));
  book.apply([{ rule, verdicts: [], isPartial: true }], { chainMs: 1, clockMs: 1 });
  expect(book.active()).toMatchObject([{ subject: 's', state: 'firing' }]);
  book.apply([{ rule, verdicts: [], isPartial: false }], { chainMs: 2, clockMs: 2 });
  expect(book.active()).toEqual([]);
});

test('alerts: what is no longer configured is dropped without a word; a rule that threw changes nothing', () => {
  const { told, book, round } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' }));
  book.apply([{ rule, verdicts: undefined }], { chainMs: 1, clockMs: 1 });
  expect(book.active()).toHaveLength(2);
  round(2, rule, verdict('firing', { subject: 'b' }));
  expect(book.active().map(({ subject }) => subject)).toEqual(['b']);
  book.apply([], { chainMs: 3, clockMs: 3 });
  expect(book.active()).toEqual([]);
  expect(told).toEqual(['firing R a', 'firing R b']);
});

test('alerts: a change and its notices are one commit: when the notice cannot be written, nothing has changed', () => {
  const store = temporaryStore();
  const book = createAlertBook({
    store,
    alertStore: createAlertStore(store),
    enqueue: () => {
      throw new Error('disk full');
    },
    groups: { group_above: 5, group_wait: 10_000 },
    quietAt: () => () => undefined,
    nowMs: 0,
    own: createOwnMetrics(),
    logger: silentLogger,
  });
  const rule = declared({ forMs: 0 });
  const judged = [{ rule, verdicts: [verdict('firing')] }];
  expect(() => book.apply(judged, { chainMs: 0, clockMs: 0 })).toThrow('disk full');
  expect(book.active()).toEqual([]);
  expect(createAlertStore(store).active()).toEqual([]);
});

import { expect, test } from 'vitest';
import { silentLogger } from '../../test/parts.js';
import type { Verdict } from '../checks/verdict.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Rule } from '../rules/rule.js';
import { openStore, type Store } from '../store/store.js';
import type { Notice } from './alert.js';
import { createAlertBook } from './alert-book.js';
import { createAlertStore } from './alert-store.js';

const second = 1_000;
const minute = 60 * second;

const rule: Rule = { name: 'R', severity: 'critical', forMs: 0, time: 'clock', evaluate: () => [] };

const verdict = (subject: string, state: Verdict['state'], more: Partial<Verdict> = {}): Verdict => ({
  subject,
  term: '',
  state,
  title: `${subject}: ${state}`,
  text: `text of ${subject}`,
  ...more,
});

const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `n${from + index}`);

const bookOn = (store: Store = openStore(':memory:')) => {
  const notices: Notice[] = [];
  const own = createOwnMetrics();
  const alertStore = createAlertStore(store);
  const book = createAlertBook({
    alertStore,
    commit: (changes) => {
      store.transaction(() => alertStore.write(changes));
      notices.push(...changes.notices);
    },
    settings: {
      group: { above: 5, waitMs: 10 * second },
      flap: { above: 3, windowMs: 60 * minute, settleMs: 15 * minute },
    },
    quietAt: () => () => undefined,
    start: { clockMs: 0, steadyMs: 0 },
    own,
    logger: silentLogger,
  });
  const states = new Map<string, Verdict['state']>();
  /** A round in which these subjects get this state and all others keep their state. */
  const round = (atMs: number, state: Verdict['state'] = 'ok', subjects: readonly string[] = []) => {
    for (const subject of subjects) states.set(subject, state);
    const verdicts = [...states].map(([subject, of]) => verdict(subject, of));
    return book.apply([{ rule, verdicts }], { chainMs: atMs, clockMs: atMs, steadyMs: atMs });
  };
  return { book, notices, own, round, titles: () => notices.map(({ kind, title }) => `${kind} ${title}`) };
};

test('groups: up to five notices of a rule are sent individually, at once', () => {
  const { titles, round } = bookOn();
  expect(round(0, 'firing', names(5))).toEqual({ notices: 5, againInMs: undefined });
  expect(titles()).toEqual(names(5).map((name) => `firing ${name}: firing`));
});

test('groups: 900 that fire over several rounds are one notice that names them all, with the details of the first', () => {
  const { notices, titles, round } = bookOn();
  expect(round(0, 'firing', names(400))).toEqual({ notices: 0, againInMs: 10 * second });
  round(3 * second, 'firing', names(300, 400));
  round(6 * second, 'firing', names(200, 700));
  expect(notices).toEqual([]);
  expect(round(10 * second).notices).toBe(1);
  expect(titles()).toEqual(['firing 900 alerts firing: n0, n1, n2 and 897 more']);
  expect(notices[0]?.members).toEqual(
    names(900).map((subject) => ({ subject, title: `${subject}: firing`, isFiring: true })),
  );
  expect(notices[0]?.text).toContain('text of n0');
  expect(notices[0]?.text.length).toBeLessThan(10_000);
  expect(round(11 * second)).toEqual({ notices: 0, againInMs: undefined });
});

test('groups: past events are listed first, then the earliest deadlines, in any order of detection', () => {
  const { book, notices } = bookOn();
  const due = [7, 3, 9, undefined, 1, 5, 8];
  const verdicts = due.map((dueMs, index) => verdict(`n${index}`, 'firing', dueMs === undefined ? {} : { dueMs }));
  book.apply([{ rule, verdicts }], { chainMs: 0, clockMs: 0, steadyMs: 0 });
  book.apply([{ rule, verdicts }], { chainMs: 10 * second, clockMs: 10 * second, steadyMs: 10 * second });
  const order = ['n3', 'n4', 'n1', 'n5', 'n0', 'n6', 'n2'];
  expect(notices.map(({ title }) => title)).toEqual(['7 alerts firing: n3, n4, n1 and 4 more']);
  expect(notices[0]?.members.map(({ subject }) => subject)).toEqual(order);
  expect(notices[0]?.text.indexOf('text of n4')).toBeLessThan(notices[0]?.text.indexOf('text of n1') ?? 0);
});

test('groups: the recovery of all is one notice, in the stream of the first', () => {
  const { notices, titles, round } = bookOn();
  round(0, 'firing', names(900));
  round(10 * second);
  round(20 * second, 'ok', names(500));
  round(22 * second, 'ok', names(400, 500));
  expect(titles().slice(1)).toEqual(['recovered 900 resolved: n0, n1, n2 and 897 more']);
  expect(notices[1]?.stream).toBe(notices[0]?.stream);
});

test('groups: when few remain, the resolved ones are reported once, and then each of the few', () => {
  const { notices, titles, round } = bookOn();
  round(0, 'firing', names(900));
  round(10 * second);
  for (let back = 0; back < 890; back += 10) round((20 + back) * second, 'ok', names(10, back));
  expect(notices).toHaveLength(1);
  const last = round(1_000 * second, 'ok', names(7, 890));
  expect(last).toEqual({ notices: 0, againInMs: 10 * second });
  round(1_010 * second);
  round(1_100 * second, 'ok', ['n897']);
  round(1_110 * second);
  round(1_200 * second, 'ok', ['n898', 'n899']);
  expect(titles().slice(1)).toEqual([
    'recovered 897 resolved, 3 still firing: n0, n1, n2 and 894 more',
    'recovered n897: ok',
    'recovered 2 resolved: n898, n899',
  ]);
  expect(notices[1]?.members.filter(({ isFiring }) => isFiring).map(({ title }) => title)).toEqual(
    names(3, 897).map((name) => `${name}: firing`),
  );
  expect(new Set(notices.map(({ stream }) => stream)).size).toBe(1);
});

test('groups: members that never recover delay the notice about the others by at most an hour', () => {
  const { titles, round } = bookOn();
  round(0, 'firing', names(100));
  round(10 * second);
  const { againInMs } = round(minute, 'ok', names(50));
  expect(againInMs).toBe(60 * minute);
  round(60 * minute);
  expect(titles()).toHaveLength(1);
  round(61 * minute);
  expect(titles()[1]).toBe('recovered 50 resolved, 50 still firing: n0, n1, n2 and 47 more');
});

test('groups: a slow sequence gives at most five individual notices, then groups at growing intervals', () => {
  const { titles, round } = bookOn();
  for (let at = 0; at < 300; at += 1) round(at * 12 * second, 'firing', [`n${at}`]);
  const alone = titles().filter((title) => !title.includes('alerts firing'));
  expect(alone.length).toBeLessThanOrEqual(6);
  expect(titles().length).toBeLessThan(5 + 62);
  expect(titles().length).toBeGreaterThan(50);
});

test('groups: alerts that end while they wait leave no notice, and the wait is reset', () => {
  const { titles, round } = bookOn();
  round(0, 'firing', names(6));
  round(5 * second, 'ok', names(6));
  expect(round(6 * second)).toEqual({ notices: 0, againInMs: undefined });
  round(12 * minute, 'firing', names(2));
  expect(titles()).toEqual(['firing n0: firing', 'firing n1: firing']);
});

test('groups: a restart loses no waiting notice and reports pending recoveries', () => {
  const store = openStore(':memory:');
  const first = bookOn(store);
  first.round(0, 'firing', names(50));
  const middle = bookOn(store);
  middle.round(1 * second, 'firing', names(50));
  middle.round(11 * second);
  expect(middle.titles()).toEqual(['firing 50 alerts firing: n0, n1, n2 and 47 more']);
  middle.round(20 * second, 'ok', names(20));
  const third = bookOn(store);
  third.round(30 * second, 'firing', names(30, 20));
  third.round(40 * second, 'ok', names(50));
  expect(third.titles()).toEqual(['recovered 50 resolved: n0, n1, n10 and 47 more']);
  expect(third.notices[0]?.stream).toBe(middle.notices[0]?.stream);
  expect(bookOn(store).round(50 * second)).toEqual({ notices: 0, againInMs: undefined });
});

test('groups: a member that fires again and ends before its report is closed with the text of its last end', () => {
  const { book, notices } = bookOn();
  const titles = new Map<string, Pick<Verdict, 'state' | 'title'>>();
  const round = (atMs: number, state: Verdict['state'], subjects: readonly string[], word: string) => {
    for (const subject of subjects) titles.set(subject, { state, title: `${subject}: ${word}` });
    const verdicts = [...titles].map(([subject, words]) => verdict(subject, words.state, words));
    book.apply([{ rule, verdicts }], { chainMs: atMs, clockMs: atMs, steadyMs: atMs });
  };
  round(0, 'firing', names(8), 'down');
  round(10 * second, 'firing', [], '');
  expect(notices.map(({ members }) => members.length)).toEqual([8]);
  round(11 * second, 'ok', ['n0'], 'up');
  // These are sent as separate notices, so that the next one has to wait.
  round(12 * second, 'firing', names(5, 8), 'down');
  round(13 * second, 'firing', ['n0'], 'down again');
  round(14 * second, 'ok', ['n0'], 'up again');
  round(15 * second, 'ok', names(8), 'fine');
  expect(notices.slice(6).flatMap(({ members }) => members.map(({ title }) => title))).toEqual([
    'n0: up again',
    ...names(7, 1).map((name) => `${name}: fine`),
  ]);
});

test('groups: members that are no longer watched are closed in the notice of the group', () => {
  const { book, titles, notices, round } = bookOn();
  round(0, 'firing', names(8));
  round(10 * second);
  round(20 * second, 'ok', names(2));
  book.apply([{ rule, verdicts: names(2).map((name) => verdict(name, 'ok')) }], {
    chainMs: 0,
    clockMs: 21 * second,
    steadyMs: 21 * second,
  });
  expect(titles()[1]).toBe('recovered 8 resolved: n0, n1, n2 and 5 more');
  expect(notices[1]?.members.slice(1, 3).map(({ title }) => title)).toEqual([
    'n1: ok',
    'n2: ended, or no longer watched',
  ]);
});

test('groups: a flood of hostile titles stays within the limits', () => {
  const { notices, book } = bookOn();
  const verdicts = names(900).map((name) =>
    verdict(name, 'firing', { title: 'x'.repeat(5_000), text: 'y'.repeat(50_000) }),
  );
  book.apply([{ rule, verdicts }], { chainMs: 0, clockMs: 0, steadyMs: 0 });
  book.apply([{ rule, verdicts }], { chainMs: 0, clockMs: 10 * second, steadyMs: 10 * second });
  expect(notices).toHaveLength(1);
  expect(notices[0]?.title.length).toBeLessThan(400);
  expect(notices[0]?.text.length).toBeLessThan(15_000);
});

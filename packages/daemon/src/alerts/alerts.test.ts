import { expect, test } from 'vitest';
import { silentLogger, temporaryStore } from '../../test/parts.js';
import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Rule } from '../rules/rule.js';
import type { Store } from '../store/store.js';
import type { Notice } from './alert.js';
import { createAlertBook } from './alert-book.js';
import { createAlertStore } from './alert-store.js';
import type { Present } from './machine.js';
import type { NotifyingSettings } from './notifying.js';

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
    alertStore,
    commit: (changes) => {
      alertStore.write(changes);
      for (const notice of changes.notices) {
        const alert = [...alertStore.active(), ...alertStore.ended(1_000)].find(({ id }) => id === notice.stream);
        told.push(`${notice.kind} ${notice.rule} ${alert?.subject}${alert?.term}`);
        notices.push(notice);
      }
    },
    settings,
    quietAt: () => () => undefined,
    start: { clockMs: 0, steadyMs: 0 },
    own,
    logger: silentLogger,
  });
  /** One round: verdicts of one rule at one time of all clocks. */
  const round = (atMs: number, rule: Rule, ...verdicts: Verdict[]): number =>
    book.apply([{ rule, verdicts }], at(atMs)).notices;
  return { book, told, notices, own, round };
};

const settings: NotifyingSettings = {
  group: { above: 5, waitMs: 10_000 },
  flap: { above: 3, windowMs: 3_600_000, settleMs: 900_000 },
};

const at = (ms: number): Present => ({ chainMs: ms, clockMs: ms, steadyMs: ms });

test('alerts: fires when its hold has passed, with one firing notice and one recovery notice', () => {
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

test('alerts: unknown neither raises nor ends an alert, and a pending alert starts again after ok', () => {
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

test('alerts: a rule in chain time waits for it, and does nothing while it is not known', () => {
  const { told, book } = bookOn(temporaryStore());
  const rule = declared({ time: 'chain' });
  const later = (chainMs: number | undefined, clockMs: number) =>
    book.apply([{ rule, verdicts: [verdict('firing')] }], { chainMs, clockMs, steadyMs: clockMs });
  later(0, 0);
  later(0, 10_000);
  later(undefined, 20_000);
  expect(told).toEqual([]);
  later(100, 20_001);
  expect(told).toEqual(['firing R s']);
});

test('alerts: a problem that continues under another rule ends without a recovery notice', () => {
  const { told, round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing'));
  round(1, rule, verdict('ok', { passedOn: true }));
  expect(told).toEqual(['firing R s']);
  expect(book.active()).toEqual([]);
});

test('alerts: a problem that is no longer followed ends with a notice about this, not with a recovery', () => {
  const { told, round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing'));
  round(1, rule, verdict('ok', { isEnded: true }));
  expect(told).toEqual(['firing R s', 'ended R s']);
  expect(book.active()).toEqual([]);
});

test('alerts: a new term starts a new alert and ends the alert of the earlier term', () => {
  const { told, notices, round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing', { term: '1' }));
  round(1, rule, verdict('unknown', { term: '' }));
  expect(book.active()).toHaveLength(1);
  round(2, rule, verdict('firing', { term: '2' }));
  expect(told).toEqual(['firing R s1', 'firing R s2']);
  expect(book.ended(1)).toMatchObject([{ term: '1' }]);
  round(3, rule, verdict('ok', { term: '3' }));
  expect(told.slice(2)).toEqual(['recovered R s2']);
  const held = declared({ name: 'Held' });
  round(10, held, verdict('firing', { term: '1' }));
  round(110, held, verdict('firing', { term: '1' }));
  round(111, held, verdict('firing', { term: '2' }));
  expect(told.slice(3)).toEqual(['firing Held s1', 'recovered Held s1']);
  expect(notices.at(-1)?.title).toBe('title firing: resolved');
});

test('alerts: a verdict can shorten the hold of its rule, not lengthen it', () => {
  const { told, round } = bookOn(temporaryStore());
  round(0, declared(), verdict('firing', { subject: 'a', forMs: 0 }), verdict('firing', { subject: 'b', forMs: 900 }));
  expect(told).toEqual(['firing R a']);
  round(100, declared(), verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b', forMs: 900 }));
  expect(told).toEqual(['firing R a', 'firing R b']);
});

test('alerts: inhibited while the inhibiting rule fires; reported when it ends and the problem persists', async () => {
  const { told, book, own } = bookOn(temporaryStore());
  const above = declared({ name: 'Above', forMs: 0 });
  const below = declared({ forMs: 0, inhibitedBy: [{ rule: 'Above', equal: 'chain' }] });
  const round = (atMs: number, first: Verdict, ...others: Verdict[]) =>
    book.apply(
      [
        { rule: above, verdicts: [first] },
        { rule: below, verdicts: others },
      ],
      at(atMs),
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

test('alerts: a verdict with a cause is inhibited only while that alert fires, and reported when it ends and the problem persists', () => {
  const { told, book } = bookOn(temporaryStore());
  const above = declared({ name: 'Above', forMs: 0 });
  const below = declared({ forMs: 0, inhibitedBy: [{ rule: 'Above', equal: 'cause' }] });
  const round = (atMs: number, first: Verdict, ...others: Verdict[]) =>
    book.apply(
      [
        { rule: above, verdicts: [first] },
        { rule: below, verdicts: others },
      ],
      at(atMs),
    );
  const of = (subject: string, cause: string) =>
    verdict('firing', { subject, cause: { rule: 'Above', subject: cause } });
  round(0, verdict('firing', { subject: 'x' }), of('a', 'x'), of('b', 'y'));
  expect(told).toEqual(['firing Above x', 'firing R b']);
  round(1, verdict('ok', { subject: 'x' }), of('a', 'x'), of('b', 'y'));
  expect(told.slice(2)).toEqual(['recovered Above x', 'firing R a']);
});

test('alerts: a restart neither repeats notices nor loses a hold, and does not count the downtime', () => {
  const store = temporaryStore();
  const rule = declared({ forMs: 100_000 });
  const first = bookOn(store);
  first.round(0, rule, verdict('firing', { subject: 'a' }));
  first.round(100_000, rule, verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' }));
  expect(first.told).toEqual(['firing R a']);
  // The time counted so far is stored periodically.
  for (const ms of [120_000, 140_000, 160_000])
    first.round(ms, rule, verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' }));
  const second = bookOn(store);
  const both = [verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' })];
  second.round(900_000, rule, ...both);
  second.round(939_999, rule, ...both);
  expect(second.told).toEqual([]);
  second.round(940_000, rule, ...both);
  expect(second.told).toEqual(['firing R b']);
});

test('alerts: a subject missing after a failed reading keeps its alert, a removed one does not', () => {
  const { round, book } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing'));
  book.apply([{ rule, verdicts: [], isPartial: true }], at(1));
  expect(book.active()).toMatchObject([{ subject: 's', state: 'firing' }]);
  book.apply([{ rule, verdicts: [], isPartial: false }], at(2));
  expect(book.active()).toEqual([]);
});

test('alerts: alerts no longer watched are closed if they were reported; a rule that threw changes nothing', () => {
  const { told, notices, book, round } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  round(0, rule, verdict('firing', { subject: 'a' }), verdict('firing', { subject: 'b' }));
  book.apply([{ rule, verdicts: undefined }], at(1));
  expect(book.active()).toHaveLength(2);
  round(2, rule, verdict('firing', { subject: 'b' }));
  expect(book.active().map(({ subject }) => subject)).toEqual(['b']);
  book.apply([], at(3));
  expect(book.active()).toEqual([]);
  expect(told).toEqual(['firing R a', 'firing R b', 'ended R a', 'ended R b']);
  expect(notices.slice(2).map(({ title }) => title)).toEqual([
    'title firing: ended, or no longer watched',
    'title firing: its rule is switched off',
  ]);
  expect(book.ended(10)).toMatchObject([{ subject: 'b' }, { subject: 'a' }]);
  round(4, declared({ name: 'Held' }), verdict('firing'));
  round(5, declared({ name: 'Held' }));
  expect(told).toHaveLength(4);
});

test('alerts: a reported end does not apply to a subject that fires again', () => {
  const { told, round } = bookOn(temporaryStore());
  const rule = declared({ forMs: 0 });
  const all = (state: Verdict['state'], subjects = 'abcdef') =>
    [...subjects].map((subject) => verdict(state, { subject, title: `${subject}: ${state}` }));
  round(0, rule, ...all('firing'));
  round(10_000, rule, ...all('firing'));
  round(20_000, rule, ...all('ok', 'a'), ...all('firing', 'bcdef'));
  round(21_000, rule, ...all('firing', 'a'), ...all('ok', 'bcdef'));
  expect(told.slice(1)).toEqual(['firing R a', 'recovered R undefinedundefined']);
});

test('alerts: a hold does not run while inhibited', () => {
  const { told, book } = bookOn(temporaryStore());
  const above = declared({ name: 'Above', forMs: 0 });
  const below = declared({ inhibitedBy: [{ rule: 'Above', equal: 'chain' }] });
  const round = (ms: number, first: Verdict['state']) =>
    book.apply(
      [
        { rule: above, verdicts: [verdict(first)] },
        { rule: below, verdicts: [verdict('firing')] },
      ],
      at(ms),
    );
  round(0, 'ok');
  round(60, 'ok');
  for (let ms = 70; ms < 1_000; ms += 10) round(ms, 'firing');
  round(1_000, 'ok');
  round(1_030, 'ok');
  expect(told).toEqual(['firing Above s', 'recovered Above s']);
  round(1_040, 'ok');
  expect(told.slice(2)).toEqual(['firing R s']);
});

test.each([
  ['an hour ahead', 3_600_000],
  ['a day back', -86_400_000],
])('alerts: a time of day set %s neither shortens nor lengthens a hold, even across a restart', (_case, jumpMs) => {
  const store = temporaryStore();
  const rule = declared({ forMs: 180_000 });
  const apply = (book: ReturnType<typeof bookOn>, steadyMs: number, clockMs: number) =>
    book.book.apply([{ rule, verdicts: [verdict('firing')] }], { chainMs: undefined, clockMs, steadyMs });
  const before = bookOn(store);
  apply(before, 0, 0);
  apply(before, 10_000, 10_000 + jumpMs);
  apply(before, 120_000, 120_000 + jumpMs);
  expect(before.told).toEqual([]);
  const other = bookOn(store);
  apply(other, 7, 120_000 + jumpMs);
  apply(other, 59_000, 179_000 + jumpMs);
  expect(other.told).toEqual([]);
  apply(other, 60_007, 180_000 + jumpMs);
  expect(other.told).toEqual(['firing R s']);
});

test('alerts: a changed title is reported again if the verdict requests it, after the hold', () => {
  const { told, notices, round } = bookOn(temporaryStore());
  const rule = declared();
  const titled = (title: string, retold = true) => verdict('firing', { title, retold });
  round(0, rule, titled('s: rpc'));
  round(100, rule, titled('s: rpc'));
  round(110, rule, titled('s: rpc and grpc'));
  round(150, rule, titled('s: rpc'));
  round(160, rule, titled('s: rpc and grpc'));
  round(259, rule, titled('s: rpc and grpc'));
  round(259, rule, titled('s: rpc and grpc', false));
  expect(told).toEqual(['firing R s']);
  round(260, rule, titled('s: rpc and grpc'));
  round(360, rule, titled('s: rpc and grpc'));
  round(900, rule, titled('s: rpc and grpc'));
  expect(notices.map(({ title }) => title)).toEqual(['s: rpc', 's: rpc and grpc']);
});

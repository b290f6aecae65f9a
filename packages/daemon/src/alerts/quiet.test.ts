import { expect, test } from 'vitest';
import { silentLogger, temporaryStore } from '../../test/parts.js';
import type { Verdict } from '../checks/verdict.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Rule } from '../rules/rule.js';
import { createAlertBook } from './alert-book.js';
import { createAlertStore } from './alert-store.js';
import { isOpen, type MaintenanceWindow } from './maintenance.js';
import { quietAt } from './quiet.js';
import { createSilenceStore } from './silences.js';

const minute = 60_000;
const hour = 60 * minute;

const window = (facts: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
  name: 'w',
  days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  from: '02:00',
  to: '04:00',
  zone: 'UTC',
  rules: [],
  subjects: [],
  ...facts,
});

test.each<[string, Partial<MaintenanceWindow>, string, boolean]>([
  ['begins with its minute', {}, '2026-11-28T02:00:00Z', true],
  ['ends before its last minute', {}, '2026-11-28T04:00:00Z', false],
  ['is by the clock of its zone', { zone: 'Europe/Berlin' }, '2026-11-28T01:30:00Z', true],
  ['is by the clock of its zone, in summer', { zone: 'Europe/Berlin' }, '2026-07-28T00:30:00Z', true],
  ['keeps to its days', { days: ['sun'] }, '2026-11-28T03:00:00Z', false],
  ['over midnight: before it', { from: '23:00', to: '01:00', days: ['sat'] }, '2026-11-28T23:30:00Z', true],
  [
    'over midnight: belongs to the day before',
    { from: '23:00', to: '01:00', days: ['sat'] },
    '2026-11-29T00:30:00Z',
    true,
  ],
  [
    'over midnight: not to the day itself',
    { from: '23:00', to: '01:00', days: ['sat'] },
    '2026-11-28T00:30:00Z',
    false,
  ],
  ['of a whole day', { from: '00:00', to: '00:00' }, '2026-11-28T23:59:00Z', true],
  // In Berlin, 02:00 to 03:00 does not exist on 29 March 2026 and occurs twice on 25 October.
  ['in an hour that is skipped: before', { zone: 'Europe/Berlin', to: '03:00' }, '2026-03-29T00:59:00Z', false],
  ['in an hour that is skipped: from the change', { zone: 'Europe/Berlin', to: '03:00' }, '2026-03-29T01:00:00Z', true],
  ['in an hour that is skipped: for its length', { zone: 'Europe/Berlin', to: '03:00' }, '2026-03-29T01:59:00Z', true],
  ['in an hour that is skipped: then over', { zone: 'Europe/Berlin', to: '03:00' }, '2026-03-29T02:00:00Z', false],
  ['that begins in it and ends later', { zone: 'Europe/Berlin' }, '2026-03-29T01:30:00Z', true],
  ['that begins in it and has ended', { zone: 'Europe/Berlin' }, '2026-03-29T02:00:00Z', false],
  ['in an hour that comes twice: first', { zone: 'Europe/Berlin', to: '02:30' }, '2026-10-25T00:15:00Z', true],
  ['in an hour that comes twice: not again', { zone: 'Europe/Berlin', to: '02:30' }, '2026-10-25T01:15:00Z', false],
  ['over an hour that comes twice', { zone: 'Europe/Berlin', to: '03:00' }, '2026-10-25T01:30:00Z', true],
  [
    'over midnight, on the day before alone',
    { from: '23:00', to: '01:00', days: ['sun'] },
    '2026-11-29T00:30:00Z',
    false,
  ],
  ['of a whole day of 25 hours', { from: '00:00', to: '00:00', zone: 'Europe/Berlin' }, '2026-10-25T22:30:00Z', true],
])('maintenance: a window %s', (_case, facts, at, expected) => {
  expect(isOpen(window(facts), Date.parse(at))).toBe(expected);
});

test('silences: match by rule, by subject, by both, from their start to their end', () => {
  const silences = createSilenceStore(temporaryStore());
  const facts = { rule: undefined, subject: undefined, fromMs: 10, untilMs: 20, comment: 'c' };
  const byRule = silences.add({ ...facts, rule: 'R' });
  const bySubject = silences.add({ ...facts, subject: 's' });
  const both = silences.add({ ...facts, rule: 'Q', subject: 't' });
  const at = (nowMs: number, rule: string, subject: string) =>
    quietAt(silences, { maintenance: [] }, nowMs)({ rule, subject })?.name;
  expect(at(10, 'R', 'x')).toBe(byRule.id);
  expect(at(19, 'X', 's')).toBe(bySubject.id);
  expect(at(15, 'Q', 't')).toBe(both.id);
  expect(at(15, 'Q', 'x')).toBeUndefined();
  expect(at(9, 'R', 'x')).toBeUndefined();
  expect(at(20, 'R', 'x')).toBeUndefined();
  expect(silences.end(both.id, 15)).toBe(true);
  expect(at(15, 'Q', 't')).toBeUndefined();
  expect(silences.end(both.id, 15)).toBe(false);
});

test('maintenance: applies to the rules and subjects that it names', () => {
  const silences = createSilenceStore(temporaryStore());
  const maintenance = [window({ from: '00:00', to: '00:00', rules: ['R'], subjects: ['s'] })];
  const now = quietAt(silences, { maintenance }, 0);
  expect(now({ rule: 'R', subject: 's' })).toEqual({ reason: 'maintenance', name: 'w' });
  expect(now({ rule: 'R', subject: 'x' })).toBeUndefined();
  expect(now({ rule: 'X', subject: 's' })).toBeUndefined();
});

test('quiet: a silenced problem is reported if it persists after the silence; recoveries of reported problems are sent', async () => {
  const store = temporaryStore();
  const silences = createSilenceStore(store);
  const own = createOwnMetrics();
  const told: string[] = [];
  const alertStore = createAlertStore(store);
  const book = createAlertBook({
    alertStore,
    commit: (changes) => {
      alertStore.write(changes);
      told.push(...changes.notices.map(({ kind, title }) => `${kind} ${title}`));
    },
    settings: { group: { above: 5, waitMs: 0 }, flap: { above: 3, windowMs: hour, settleMs: hour } },
    quietAt: (nowMs) => quietAt(silences, { maintenance: [] }, nowMs),
    start: { clockMs: 0, steadyMs: 0 },
    own,
    logger: silentLogger,
  });
  const rule: Rule = { name: 'R', severity: 'warning', forMs: 0, time: 'clock', evaluate: () => [] };
  const verdict = (subject: string, state: Verdict['state']) => ({
    subject,
    term: '',
    state,
    title: subject,
    text: '',
  });
  const round = (atMs: number, ...verdicts: Verdict[]) =>
    book.apply([{ rule, verdicts }], { chainMs: atMs, clockMs: atMs, steadyMs: atMs });
  round(0, verdict('told', 'firing'));
  silences.add({ rule: 'R', subject: undefined, fromMs: minute, untilMs: hour, comment: 'work' });
  round(2 * minute, verdict('told', 'firing'), verdict('goes on', 'firing'), verdict('passes', 'firing'));
  round(3 * minute, verdict('told', 'ok'), verdict('goes on', 'firing'), verdict('passes', 'ok'));
  expect(told).toEqual(['firing told', 'recovered told']);
  expect(book.active().map(({ subject, state }) => [subject, state])).toEqual([['goes on', 'firing']]);
  round(hour, verdict('told', 'ok'), verdict('goes on', 'firing'), verdict('passes', 'ok'));
  expect(told.slice(2)).toEqual(['firing goes on']);
  expect(await own.registry.getSingleMetricAsString('hubwatch_notifications_suppressed_total')).toContain(
    '{reason="silence"} 2',
  );
});

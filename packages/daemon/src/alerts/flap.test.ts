import { expect, test } from 'vitest';
import { silentLogger } from '../../test/parts.js';
import type { Verdict } from '../checks/verdict.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Rule } from '../rules/rule.js';
import { openStore, type Store } from '../store/store.js';
import { createAlertBook } from './alert-book.js';
import { createAlertStore } from './alert-store.js';

const minute = 60_000;
const hour = 60 * minute;
const rule: Rule = { name: 'R', severity: 'critical', forMs: 0, time: 'clock', evaluate: () => [] };

const bookOn = (store: Store, told: string[]) => {
  const alertStore = createAlertStore(store);
  const own = createOwnMetrics();
  const book = createAlertBook({
    alertStore,
    commit: (changes) => {
      store.transaction(() => alertStore.write(changes));
      told.push(...changes.notices.map(({ kind, title }) => `${kind} ${title}`));
    },
    settings: {
      group: { above: 5, waitMs: 10_000 },
      flap: { above: 3, windowMs: hour, settleMs: 15 * minute },
    },
    quietAt: () => () => undefined,
    start: { clockMs: 0, steadyMs: 0 },
    own,
    logger: silentLogger,
  });
  const round = (ms: number, state: Verdict['state']) =>
    book.apply([{ rule, verdicts: [{ subject: 's', term: '', state, title: `s: ${state}`, text: '' }] }], {
      chainMs: ms,
      clockMs: ms,
      steadyMs: ms,
    });
  return { round, own };
};

const flapped = [
  'firing s: firing',
  'recovered s: ok',
  'firing s: firing',
  'recovered s: ok',
  'firing s: firing',
  'recovered s: ok',
  'firing s: firing (flapping)',
];

test.each([
  ['ok', 'recovered s: ok'],
  ['firing', 'firing s: firing (no longer flapping)'],
] as const)(
  'flap: a subject that changes for six hours is reported as flapping, and as %s in the end',
  async (end, last) => {
    const told: string[] = [];
    const { round, own } = bookOn(openStore(':memory:'), told);
    let ms = 0;
    for (; ms < 6 * hour; ms += 3 * minute) round(ms, (ms / (3 * minute)) % 2 === 0 ? 'firing' : 'ok');
    expect(told).toEqual(flapped);
    round(ms, end);
    for (; ms < 7 * hour; ms += minute) round(ms, end);
    expect(told.slice(flapped.length)).toEqual([last]);
    const suppressed = await own.registry.getSingleMetricAsString('hubwatch_notifications_suppressed_total');
    expect(suppressed).toMatch(/\{reason="flap"\} 11\d/);
  },
);

test('flap: a subject that soon flaps again must be stable for longer, which also bounds slow flapping', () => {
  const told: string[] = [];
  const { round } = bookOn(openStore(':memory:'), told);
  for (let ms = 0; ms < 24 * hour; ms += minute) round(ms, ms % (17 * minute) === 0 ? 'firing' : 'ok');
  expect(told.length).toBeLessThan(30);
});

test('flap: a restart keeps both the earlier changes and the flapping state', () => {
  const store = openStore(':memory:');
  const told: string[] = [];
  for (let ms = 0; ms < hour; ms += 3 * minute)
    bookOn(store, told).round(ms, (ms / (3 * minute)) % 2 === 0 ? 'firing' : 'ok');
  expect(told).toEqual(flapped);
});

test('flap: a subject that ends while it flaps is closed', () => {
  const store = openStore(':memory:');
  const told: string[] = [];
  const { round } = bookOn(store, told);
  for (let ms = 0; ms < hour; ms += 3 * minute) round(ms, (ms / (3 * minute)) % 2 === 0 ? 'firing' : 'ok');
  const alertStore = createAlertStore(store);
  const book = createAlertBook({
    alertStore,
    commit: (changes) => told.push(...changes.notices.map(({ kind, title }) => `${kind} ${title}`)),
    settings: { group: { above: 5, waitMs: 0 }, flap: { above: 3, windowMs: hour, settleMs: 15 * minute } },
    quietAt: () => () => undefined,
    start: { clockMs: hour, steadyMs: hour },
    own: createOwnMetrics(),
    logger: silentLogger,
  });
  book.apply([{ rule, verdicts: [] }], { chainMs: hour, clockMs: hour, steadyMs: hour });
  expect(told.slice(flapped.length)).toEqual(['ended s: ended, or no longer watched']);
});

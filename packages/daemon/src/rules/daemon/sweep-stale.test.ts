import { expect, test } from 'vitest';
import { verdictsOf } from '../../../test/rule-view.js';
import { testConfig } from '../../../test/parts.js';
import type { SweepState } from '../../sweeps/sweeps.js';
import type { RuleView } from '../rule.js';
import { sweepStale } from './sweep-stale.js';

const nowMs = 1_800_000_000_000;
const minute = 60_000;

const judged = (
  states: readonly (Partial<SweepState> & { readonly ageMs?: number })[],
  more = '',
  sinceMs = 0,
  speed = 1,
) => {
  const known = states.map(({ ageMs, ...state }, index) => ({
    collection: `list${index}`,
    failure: undefined,
    ...state,
    last: ageMs === undefined ? undefined : ({ completedMs: nowMs - ageMs } as SweepState['last']),
  }));
  const sweeps = { isOn: states.length > 0, sinceMs, states: () => known };
  return verdictsOf(sweepStale, {
    sweeps,
    config: testConfig(['own'], more),
    clockMs: nowMs,
    speed,
  } as unknown as RuleView);
};

test('sweep stale: lists not read for an hour are reported with the time of their last reading and the reason', () => {
  expect(judged([{ ageMs: 59 * minute }])).toMatchObject([{ subject: 'sweeps', state: 'ok' }]);
  const failure = { text: 'state of 5 is gone', sinceMs: nowMs - 50 * minute };
  expect(judged([{ ageMs: minute }, { ageMs: 61 * minute, failure }, { ageMs: 90 * minute }])).toEqual([
    {
      subject: 'sweeps',
      term: '',
      state: 'firing',
      title: 'sweeps: not read for over 1 h: list1, list2',
      text: 'list1: last read at 2027-01-15 06:59:00 UTC. state of 5 is gone\nlist2: last read at 2027-01-15 06:30:00 UTC',
    },
  ]);
});

test('sweep stale: a list that was never read is stale an hour after the start, and unknown before', () => {
  expect(judged([{}], '', nowMs - 59 * minute)[0]?.state).toBe('unknown');
  expect(judged([{}], '', nowMs - 61 * minute)[0]).toMatchObject({ state: 'firing', text: 'list0: never read' });
});

test('sweep stale: the limit uses the operator’s clock, even in a demo that runs faster', () => {
  expect(judged([{ ageMs: 61 * minute }], '', 0, 60)[0]?.state).toBe('ok');
  expect(judged([{ ageMs: 61 * 60 * minute }], '', 0, 60)[0]?.state).toBe('firing');
});

test('sweep stale: a longer interval has a longer limit, and without sweeps nothing is stale', () => {
  expect(judged([{ ageMs: 100 * minute }], 'sweeps: {every: 1h}')[0]?.state).toBe('ok');
  expect(judged([{ ageMs: 181 * minute }], 'sweeps: {every: 1h}')[0]?.state).toBe('firing');
  // Once a day: three days.
  expect(judged([{ ageMs: 71 * 60 * minute }], 'sweeps: {cron: "0 3 * * *"}')[0]?.state).toBe('ok');
  expect(judged([{ ageMs: 73 * 60 * minute }], 'sweeps: {cron: "0 3 * * *"}')[0]?.state).toBe('firing');
  expect(judged([])).toEqual([]);
});

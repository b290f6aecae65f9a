import { expect, test } from 'vitest';
import { start, verdictsOf, viewOf } from '../../../test/rule-view.js';
import type { LocalView } from '../rule.js';
import { clockJumped, starved } from './local-rules.js';

const minute = 60_000;

const judge = (rule: typeof starved, local: Partial<LocalView> | undefined) => {
  const view: LocalView | undefined = local && { watchedMs: 60 * minute, lostMs: () => 0, jump: undefined, ...local };
  return verdictsOf(rule, { ...viewOf({ nowMs: start }), local: view });
};

test.each<[string, Partial<LocalView>, string]>([
  ['no pause', {}, 'ok'],
  ['six seconds lost', { lostMs: () => 6_000 }, 'firing'],
  ['lost more than five minutes ago', { lostMs: (withinMs) => (withinMs > 5 * minute ? 6_000 : 0) }, 'unknown'],
  ['after a start nobody knows what was before', { watchedMs: minute }, 'unknown'],
])('starved: %s', (_case, local, state) => {
  expect(judge(starved, local).map((verdict) => verdict.state)).toEqual([state]);
});

test.each<[string, Partial<LocalView>, string, string]>([
  ['no step', {}, 'ok', 'without steps'],
  ['a step ahead', { jump: { agoMs: minute, byMs: 60 * minute } }, 'firing', 'went ahead by 1 h'],
  ['a step back', { jump: { agoMs: minute, byMs: -24 * 60 * minute } }, 'firing', 'went back by 1 d'],
  ['a step some time ago', { jump: { agoMs: 11 * minute, byMs: 60 * minute } }, 'ok', 'without steps'],
  ['after a start nobody knows what was before', { watchedMs: minute }, 'unknown', 'without steps'],
])('clock jumped: %s', (_case, local, state, title) => {
  const [verdict] = judge(clockJumped, local);
  expect(verdict?.state).toBe(state);
  expect(verdict?.title).toContain(title);
});

test('starved, clock jumped: no verdict if the process is not monitored', () => {
  expect([...judge(starved, undefined), ...judge(clockJumped, undefined)]).toEqual([]);
});

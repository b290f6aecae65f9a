import { expect, test } from 'vitest';
import { ActiveAlerts } from './active-alerts.js';
import type { Alert } from './alert.js';

const alert = (id: string, rule: string, subject: string, term = ''): Alert => ({
  ...{
    id,
    rule,
    subject,
    term,
    state: 'firing',
    severity: 'warning',
    sinceMs: 0,
    notified: false,
    title: '',
    text: '',
  },
  ...{ firingMs: 0, endedMs: undefined, firedClockMs: 0, endedClockMs: undefined },
  hold: { ranMs: 0, sinceMs: undefined },
});

const ids = (alerts: Iterable<Alert>): readonly string[] => [...alerts].map(({ id }) => id);

test('active alerts: listed in the order in which they began, and found by rule, subject and term', () => {
  const active = new ActiveAlerts([alert('1', 'B', 's'), alert('2', 'A', 's'), alert('3', 'B', 't')]);
  active.set({ ...alert('1', 'B', 's'), title: 'changed' });
  active.set(alert('4', 'B', 's', 'later'));
  expect(ids(active.all())).toEqual(['1', '2', '3', '4']);
  expect(ids(active.ofRules(['B']))).toEqual(['1', '4', '3']);
  expect(active.get('B', 's', '')?.title).toBe('changed');
  expect(active.get('B', 's', 'later')?.id).toBe('4');
  expect(active.get('A', 't', '')).toBeUndefined();
});

test('active alerts: an alert of the same rule, subject and term is replaced, one of another term is not', () => {
  const active = new ActiveAlerts([alert('1', 'A', 's'), alert('2', 'A', 's', 'later')]);
  active.set(alert('3', 'A', 's'));
  expect(ids(active.all())).toEqual(['2', '3']);
  expect(active.withId('1')).toBeUndefined();
  active.delete(alert('3', 'A', 's'));
  expect(ids(active.ofRule('A').get('s') ?? [])).toEqual(['2']);
  active.delete(alert('2', 'A', 's', 'later'));
  expect([...active.rules()]).toEqual([]);
  expect(active.all()).toEqual([]);
});

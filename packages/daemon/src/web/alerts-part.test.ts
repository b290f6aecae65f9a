import { expect, test } from 'vitest';
import { alertsPart } from './alerts-part.js';
import type { StatusView } from './status-view.js';

const now = '2027-01-15T08:00:00.000Z';
const due = (minutes: number): string => new Date(Date.parse(now) + minutes * 60_000).toISOString();

const alert = (subject: string, more: object = {}) => ({
  rule: 'R',
  subject,
  state: 'firing',
  severity: 'critical',
  title: `${subject}: ends`,
  text: `text of ${subject}`,
  since: now,
  ...more,
});

const partOf = (alerts: readonly object[]): string => alertsPart({ alerts, now } as unknown as StatusView)?.html ?? '';
const order = (text: string): readonly string[] => [...text.matchAll(/(\w+): ends/g)].map(([, name]) => name ?? '');

test('alerts on the page: sorted by severity, then past events before upcoming ones, the soonest first', () => {
  const text = partOf([
    alert('w', { rule: 'W', severity: 'warning', due: due(1) }),
    alert('a', { rule: 'A', due: due(50) }),
    alert('b', { rule: 'B' }),
    alert('c', { rule: 'C', due: due(5) }),
    alert('q', { state: 'pending', due: due(9) }),
    alert('p', { state: 'pending', due: due(3) }),
  ]);
  expect(order(text)).toEqual(['b', 'c', 'a', 'w', 'p', 'q']);
});

test('alerts on the page: many alerts of one rule become a list, the soonest first, each with a collapsed text', () => {
  const text = partOf([70, 60, 50, 40, 30, 20].map((minutes) => alert(`m${minutes}`, { due: due(minutes) })));
  expect(order(text)).toEqual(['m20', 'm30', 'm40', 'm50', 'm60', 'm70']);
  expect(text).toContain(
    '<details id="alert-R-m20"><summary>m20: ends</summary><pre>text of m20</pre></details><details id="alert-R-m30">',
  );
});

test('alerts on the page: a list of long texts stays small and keeps the title of each listed alert', () => {
  const text = partOf(Array.from({ length: 30 }, (_, index) => alert(`n${index}`, { text: 'x'.repeat(2_900) })));
  expect(text.length).toBeLessThan(12_000);
  expect(order(text)).toHaveLength(20);
  expect(text).toContain('and 10 more');
});

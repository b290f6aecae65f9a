import { expect, it } from 'vitest';
import { compareHours, type Hour, windowsOf } from './soak/hours.js';

const hour: Hour = {
  heapBytes: 30_000_000,
  bufferBytes: 3_000_000,
  files: 40,
  sockets: 12,
  timers: 20,
  walBytes: 4_000_000,
  rows: { facts: 9, ledger: 0 },
  logLines: 60,
};
const day = (at: (index: number) => Partial<Hour>): readonly Hour[] =>
  Array.from({ length: 24 }, (_, index) => ({ ...hour, rows: { facts: 9, ledger: 50 * index }, ...at(index) }));
const grown = (hours: readonly Hour[]): readonly string[] =>
  compareHours(hours).flatMap(({ what, isFlat }) => (isFlat ? [] : [what]));

it('soak: the last hours are compared with those after the first hours', () => {
  expect(windowsOf(24)).toEqual({ early: [4, 10], late: [18, 24] });
  expect(windowsOf(3)).toEqual({ early: [1, 2], late: [2, 3] });
});

it('soak: a history table may grow with its events, and without limit in the first hours', () => {
  expect(grown(day(() => ({})))).toEqual([]);
  expect(grown(day((index) => (index < 4 ? { heapBytes: 10_000_000 * index } : {})))).toEqual([]);
});

it('soak: history tables are compared if the windows have two hours, from 8 hours on', () => {
  const compared = (hours: number): readonly string[] =>
    compareHours(day(() => ({})).slice(0, hours)).map(({ what }) => what);
  expect(compared(7)).not.toContain('rows added an hour to ledger');
  expect(compared(8)).toContain('rows added an hour to ledger');
  expect(compared(7)).toContain('rows in facts');
});

it.each<[string, (index: number) => Partial<Hour>, string]>([
  ['one socket an hour', (index) => ({ sockets: 12 + index }), 'sockets'],
  ['one timer an hour', (index) => ({ timers: 20 + index }), 'timers'],
  ['200 kB of heap an hour', (index) => ({ heapBytes: 30_000_000 + 200_000 * index }), 'heapBytes'],
  ['a log that grows', (index) => ({ logLines: 60 + 20 * index }), 'logLines'],
  ['a row an hour where nothing is history', (index) => ({ rows: { facts: 9 + index } }), 'rows in facts'],
  [
    'a queue of notices that never drains',
    (index) => ({ rows: { 'outbox, waiting': 20 * index } }),
    'rows in outbox, waiting',
  ],
  ['a history ever faster', (index) => ({ rows: { ledger: 8 * index ** 2 } }), 'rows added an hour to ledger'],
])('soak: %s is detected', (_, at, what) => {
  expect(grown(day(at))).toEqual([what]);
});

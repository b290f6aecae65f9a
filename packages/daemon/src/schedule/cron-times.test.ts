import { expect, test } from 'vitest';
import { cronGapMs, lastCronTime } from './cron-times.js';

const hour = 3_600_000;

const last = (text: string, zone: string, at: string): string | undefined => {
  const found = lastCronTime(text, zone, Date.parse(at));
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
};

test.each([
  ['30 3 * * *', 'UTC', '2026-11-28T03:29:59Z', '2026-11-27T03:30'],
  ['30 3 * * *', 'UTC', '2026-11-28T03:30:00Z', '2026-11-28T03:30'],
  ['30 3 * * *', 'Asia/Kolkata', '2026-11-28T00:00:00Z', '2026-11-27T22:00'],
  ['*/15 8-9 * * mon-fri', 'UTC', '2026-11-29T12:00:00Z', '2026-11-27T09:45'],
  ['0 0 1 jan,jul *', 'UTC', '2026-11-28T00:00:00Z', '2026-07-01T00:00'],
  ['0 0 29 2 *', 'UTC', '2103-12-31T00:00:00Z', '2096-02-29T00:00'],
  // The day of the month or of the week, if both are given.
  ['0 0 13 * 5', 'UTC', '2026-11-28T00:00:00Z', '2026-11-27T00:00'],
  ['0 0 31 * 5', 'UTC', '2027-01-31T12:00:00Z', '2027-01-31T00:00'],
  ['0 0 1-31 * 5', 'UTC', '2026-11-26T00:00:00Z', '2026-11-20T00:00'],
  ['0 0 * 2 1#5', 'UTC', '2026-11-28T00:00:00Z', '2016-02-29T00:00'],
  ['0 0 * 2 1#5', 'UTC', '2112-02-28T00:00:00Z', '2072-02-29T00:00'],
  ['0 18 LW * *', 'UTC', '2026-11-28T00:00:00Z', '2026-10-30T18:00'],
  ['0 22-2 * * *', 'UTC', '2026-11-28T01:30:00Z', '2026-11-28T01:00'],
  ['@monthly', 'UTC', '2026-11-28T00:00:00Z', '2026-11-01T00:00'],
  ['0 12 * * 7', 'UTC', '2026-11-28T00:00:00Z', '2026-11-22T12:00'],
  // 02:30 is skipped in Berlin on 29 March, and occurs twice on 25 October.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29T01:00'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-25T00:30'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-25T01:45:00Z', '2026-10-25T00:30'],
  ['*/10 * * * *', 'Europe/Berlin', '2026-10-25T01:45:00Z', '2026-10-25T00:50'],
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T15:45:00Z', '2026-10-03T15:30'],
  // A day that the clock skipped.
  ['0 12 30 12 *', 'Pacific/Apia', '2012-01-01T00:00:00Z', '2011-12-30T10:00'],
  ['0,30 2,3 * * *', 'Europe/Berlin', '2026-03-29T01:45:00Z', '2026-03-29T01:30'],
])('cron times: the last of %s in %s at %s is %s', (text, zone, at, expected) => {
  expect(last(text, zone, at)).toBe(expected);
});

test('cron times: on a day with a clock change each hour occurs once', () => {
  for (const [day, hours] of [
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ] as const) {
    const end = Date.parse(`${day}T21:59:59Z`) + (day === '2026-10-25' ? hour : 0);
    const times: number[] = [];
    for (let at = end; times.length < 30; ) {
      const time = lastCronTime('0 * * * *', 'Europe/Berlin', at);
      if (time === undefined || time <= end - hours * hour) break;
      times.push(time);
      at = time - 1;
    }
    expect(new Set(times).size, day).toBe(times.length);
    expect(times.length, day).toBeGreaterThanOrEqual(23);
  }
});

test('cron times: the gap is the longest between the last few times', () => {
  expect(cronGapMs('0 3,5 * * *', 'UTC', Date.UTC(2026, 10, 28))).toBe(22 * hour);
  expect(cronGapMs('0 3 * * mon-fri', 'UTC', Date.UTC(2026, 10, 28))).toBe(72 * hour);
});

test('cron times: a gap of years is found too', () => {
  expect(cronGapMs('0 0 29 2 *', 'UTC', Date.UTC(2103, 5, 1))).toBe(1461 * 24 * hour);
  expect(cronGapMs('0 0 29 2 *', 'UTC', Date.UTC(2105, 5, 1))).toBe(2921 * 24 * hour);
});

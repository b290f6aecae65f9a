import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMillis, printDuration, printTimestamp, readDuration, readTimestamp, toDate, toMillis } from './time.js';

describe('time', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0n, 0],
    ['1969-12-31T23:59:59.999999999Z', -1n, 999_999_999],
    ['2026-11-28T12:00:00+01:30', 1795861800n, 0],
    ['0050-03-01T00:00:00.5Z', -60584198400n, 500_000_000],
    ['9999-12-31T23:59:59Z', 253402300799n, 0],
  ])('%s: read to the nanosecond', (text, seconds, nanos) => {
    expect(readTimestamp(text)).toEqual({ seconds, nanos });
  });

  it.each(['2026-11-28', '2026-13-01T00:00:00Z', '2026-11-28T00:60:00Z', '2026-11-28T00:00:00', '', 'x'])(
    '%j: not a time',
    (text) => {
      expect(() => readTimestamp(text)).toThrow();
    },
  );

  it.each([
    [0, ''],
    [500_000_000, '.500'],
    [1_000, '.000001'],
    [1, '.000000001'],
  ])('%d nanoseconds: printed with 0, 3, 6 or 9 digits', (nanos, fraction) => {
    expect(printTimestamp({ seconds: 0n, nanos })).toBe(`1970-01-01T00:00:00${fraction}Z`);
  });

  it('trimmed digits: as many as needed', () => {
    expect(printTimestamp({ seconds: 0n, nanos: 120_000_000 }, 'trimmed')).toBe('1970-01-01T00:00:00.12Z');
  });

  it('years outside of RFC 3339: refused', () => {
    expect(() => printTimestamp({ seconds: 253402300800n, nanos: 0 })).toThrow('years 1 to 9999');
  });

  it.each([
    ['7200s', 7200n, 0],
    ['0.5s', 0n, 500_000_000],
    ['-1.000000001s', -1n, -1],
    ['2h0m0s', 7200n, 0],
    ['1h1m1.5s', 3661n, 500_000_000],
    ['-2h', -7200n, 0],
    ['1ms', 0n, 1_000_000],
    ['3µs', 0n, 3_000],
    ['0', 0n, 0],
  ])('%s: read as a span', (text, seconds, nanos) => {
    expect(readDuration(text)).toEqual({ seconds, nanos });
  });

  it.each(['', '-', '5', 's', '1x', '1h 2m', '.s'])('%j: not a span', (text) => {
    expect(() => readDuration(text)).toThrow();
  });

  it('any span: is restored by printing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), (nanos) => {
        const span = { seconds: nanos / 1_000_000_000n, nanos: Number(nanos % 1_000_000_000n) };
        expect(readDuration(printDuration(span))).toEqual(span);
      }),
    );
  });
});

describe('milliseconds', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-11-28T12:00:00.123456789Z', Date.UTC(2026, 10, 28, 12, 0, 0, 123)],
    ['1969-12-31T23:59:59.999999999Z', -1],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ])('toMillis and toDate of %s: rounded down to %d', (text, ms) => {
    const time = readTimestamp(text);
    if (time === undefined) throw new Error('a time is expected');
    expect([toMillis(time), toDate(time).getTime()]).toEqual([ms, ms]);
    expect(toMillis(fromMillis(ms))).toBe(ms);
  });

  it('toMillis of durations: both signs', () => {
    expect([readDuration('1.5s'), readDuration('-1.5s'), readDuration('2h0m0s')].map(toMillis)).toEqual([
      1_500, -1_500, 7_200_000,
    ]);
  });

  it.each([NaN, Infinity, -62_135_596_800_001, 253_402_300_800_000])('fromMillis of %d: an error', (ms) => {
    expect(() => fromMillis(ms)).toThrow('years 1 to 9999');
  });

  it('toMillis beyond the range of a number: an error', () => {
    expect(() => toMillis({ seconds: 10n ** 13n, nanos: 0 })).toThrow('more milliseconds');
  });
});

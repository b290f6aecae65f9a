import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDuration, printTimestamp, readDuration, readTimestamp } from './time.js';

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
    '%j: no time',
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

  it('years that RFC 3339 does not have: refused', () => {
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

  it.each(['', '-', '5', 's', '1x', '1h 2m', '.s'])('%j: no span', (text) => {
    expect(() => readDuration(text)).toThrow();
  });

  it('any span: reading what was printed gives it back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), (nanos) => {
        const span = { seconds: nanos / 1_000_000_000n, nanos: Number(nanos % 1_000_000_000n) };
        expect(readDuration(printDuration(span))).toEqual(span);
      }),
    );
  });
});

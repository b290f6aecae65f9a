import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decFromScaled, decToScaled, readDec, readInt } from './dec.js';

describe('decimals', () => {
  it.each([
    ['50000000000000000', '0.050000000000000000'],
    ['0', '0.000000000000000000'],
    ['', '0.000000000000000000'],
    ['-1', '-0.000000000000000001'],
    ['1000000000000000000', '1.000000000000000000'],
    ['-0', '0.000000000000000000'],
    ['007', '0.000000000000000007'],
  ])('scaled %j: %s', (scaled, dec) => {
    expect(decFromScaled(scaled)).toBe(dec);
  });

  it('any scaled integer: is restored by a round trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (scaled) => {
        expect(decToScaled(decFromScaled(String(scaled)))).toBe(String(scaled));
      }),
    );
  });

  it.each(['1.', '.5', '1e3', '+1', '0.1234567890123456789', ' 1', '1,5'])('%j: not a decimal', (text) => {
    expect(() => readDec(text)).toThrow('is not a decimal');
  });

  it('minus zero: zero', () => {
    expect(readDec('-0.0')).toBe('0.000000000000000000');
  });

  it.each(['1.5', '0x1', '--1', 'a'])('%j: not an integer', (text) => {
    expect(() => readInt(text)).toThrow('is not an integer');
  });
});

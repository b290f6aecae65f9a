import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, fromHex, toBase64, toHex } from './base64.js';

describe('base64 and hex', () => {
  it('any bytes: encoded and decoded like the platform, in both alphabets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (array) => {
        const bytes = Uint8Array.from(array);
        const platform = Buffer.from(bytes);
        expect(toBase64(bytes)).toBe(platform.toString('base64'));
        expect(fromBase64(platform.toString('base64'))).toEqual(bytes);
        expect(fromBase64(platform.toString('base64url'))).toEqual(bytes);
        expect(toHex(bytes)).toBe(platform.toString('hex').toUpperCase());
        expect(fromHex(platform.toString('hex'))).toEqual(bytes);
      }),
    );
  });

  it.each(['a', 'abc?', 'ab=c', 'é'])('%j: not base64', (text) => {
    expect(() => fromBase64(text)).toThrow();
  });

  it.each(['a', 'zz'])('%j: not hex', (text) => {
    expect(() => fromHex(text)).toThrow('not hex');
  });
});

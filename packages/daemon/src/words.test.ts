import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, impossibleTime, iso, oneLine, utc } from './words.js';

test('a text of several lines: cut between lines, with the number of those left out', () => {
  const text = ['first line', 'second line', 'third line', 'fourth line'].join('\n');
  expect(cut(text, 42)).toBe('first line\nsecond line\n… 2 more lines');
  expect(cut(text, 30)).toBe('first line\n… 3 more lines');
  expect(cut(text, text.length)).toBe(text);
  expect(cut(`${'a'.repeat(90)}\nb`, 60)).toBe(`${'a'.repeat(49)}… (43 more)`);
});

test('one line: cut between visible characters, with the number of units left out', () => {
  const family = '👨‍👩‍👧‍👦';
  const text = `${'x'.repeat(40)}${family.repeat(6)}`;
  const shown = cut(text, 80);
  expect(shown).toBe(`${'x'.repeat(40)}${family.repeat(2)}… (44 more)`);
  expect(cut('e\u0301'.repeat(40), 60)).toBe(`${'e\u0301'.repeat(24)}… (32 more)`);
  expect(cut('abcdefgh', 5)).toBe('abcd…');
  expect(oneLine('a\nb\u0000c'.repeat(30), 60)).not.toContain('\n');
});

test('any text: within the limit, a prefix of the text, and its count is correct', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.integer({ min: 40, max: 90 }), (text, limit) => {
      const shown = cut(text, limit);
      expect(shown.length).toBeLessThanOrEqual(limit);
      const one = /^([\s\S]*)… \((\d+) more\)$/.exec(shown);
      if (one !== null && text !== shown) {
        expect(text.startsWith(one[1] ?? '')).toBe(true);
        expect((one[1] ?? '').length + Number(one[2])).toBe(text.length);
      }
    }),
  );
});

test.each<[string, number, string]>([
  ['the last moment of the year 9999, rounded up to the next', 253_402_300_800_000, '9999-12-31 23:59:59 UTC'],
  ['a millisecond of the year 10000', 253_402_300_800_001, impossibleTime],
  ['the year 0', -62_167_219_200_000, '0000-01-01 00:00:00 UTC'],
  ['before it', -62_167_219_200_001, impossibleTime],
  ['no number', Number.NaN, impossibleTime],
])('times: %s', (_case, ms, text) => {
  expect(utc(ms)).toBe(text);
  expect(iso(ms)).toHaveLength(text === impossibleTime ? impossibleTime.length : 24);
});

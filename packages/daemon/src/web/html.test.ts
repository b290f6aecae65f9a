import { expect, test } from 'vitest';
import { html } from './html.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const isHidden = (letter: string): boolean =>
  letter !== '\n' && /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(letter);

test('html: every markup, control and direction character is escaped, also when it occurs alone', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const letter = String.fromCharCode(unit);
    const expected = entities[letter] ?? (isHidden(letter) ? '·' : letter);
    // No `expect` call per character: it is slow, and the failure message must name the code unit.
    if (html`${`a${letter}z`}`.html !== `a${expected}z`) expect.fail(`U+${unit.toString(16)} is written as it is`);
  }
});

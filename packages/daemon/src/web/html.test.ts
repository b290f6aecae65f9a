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

test('html: every character that is markup, control or direction is written harmlessly, wherever it stands alone', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const letter = String.fromCharCode(unit);
    const expected = entities[letter] ?? (isHidden(letter) ? '·' : letter);
    // Not by `expect` for each: that is slow, and the unit is what one wants to know.
    if (html`${`a${letter}z`}`.html !== `a${expected}z`) expect.fail(`U+${unit.toString(16)} is written as it is`);
  }
});

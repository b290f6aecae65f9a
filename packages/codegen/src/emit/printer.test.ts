import { expect, test } from 'vitest';

import { comment, docComment, identifier, memberName, quote, specifier } from './printer.js';
import { SourceFile } from './source-file.js';

const texts = [
  "'; globalThis.PWNED = 1; '",
  '\\',
  "\\'",
  '\\"',
  '"',
  '`${globalThis.PWNED = 1}`',
  '\n\r\u2028\u2029\u0000\u001b[31m',
  '\u202eabc\u2066',
  '\ud800',
  '*/ globalThis.PWNED = 1 /*',
  '</script>',
  'ünï 日本 😀',
];

test.each(texts)('printer: %j is the same text when its literal is evaluated', (text) => {
  // Evaluates the literal, because it is the subject of the test.
  // oxlint-disable-next-line typescript/no-implied-eval
  const read = (literal: string): unknown => new Function(`return ${literal}`)();
  expect(read(quote(text))).toBe(text);
  expect(read(specifier(text))).toBe(text);
  expect(read(`Object.keys({ ${memberName(text)}: 1 })[0]`)).toBe(text);
  expect(quote(text)).toMatch(/^'[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*'$/u);
});

test('printer: a member named __proto__ does not set the prototype', () => {
  expect(memberName('__proto__')).toBe("['__proto__']");
});

test.each(texts)('printer: %j does not end a comment and stays on its line', (text) => {
  const printed = docComment(text);
  expect(printed.indexOf('*/')).toBe(printed.length - 2);
  expect(printed).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('printer: a text cannot become a comment tag', () => {
  expect(comment('see @ts-ignore and {@link X}, not a@b')).toBe('see \\@ts-ignore and {\\@link X}, not a@b');
});

test.each(['', '1a', 'a b', 'a-b', "a';b", 'delete', 'class', 'ä', '__proto__\n'])(
  'printer: %j is rejected as the name of a declaration',
  (name) => {
    expect(() => identifier(name)).toThrow(/is no name of a declaration/);
    expect(() => new SourceFile('a.ts', [name])).toThrow(/is no name of a declaration/);
    expect(() => new SourceFile('a.ts').value(name, 'b')).toThrow(/is no name of a declaration/);
  },
);

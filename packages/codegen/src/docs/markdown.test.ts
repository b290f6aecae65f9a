import { expect, test } from 'vitest';

import { code, table } from './markdown.js';

test('markdown: a code span can contain backticks and stays on its line', () => {
  expect(code('GET /a')).toBe('`GET /a`');
  expect(code('a`b``c')).toBe('```a`b``c```');
  expect(code('`a')).toBe('`` `a ``');
  expect(code('a\n\n# b\u0007')).toBe('`a # b\\u0007`');
});

test('markdown: no text ends its cell or row', () => {
  expect(table(['a|b'], [['c\n| d |']]).split('\n')).toEqual(['| a\\|b |', '| --- |', '| c \\| d \\| |']);
});

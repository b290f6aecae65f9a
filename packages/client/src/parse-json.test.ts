import { expect, test } from 'vitest';
import { parsePeerJson } from './parse-json.js';

/** Whether a text is refused before it is parsed. */
function isTooDeep(text: string): boolean {
  let isParsed = false;
  const parse = (): unknown => (isParsed = true);
  try {
    parsePeerJson(text, parse);
  } catch (error) {
    expect((error as Error).message).toBe('it nests too deep');
  }
  return !isParsed;
}

const space = ' '.repeat(20_000);

test.each<[string, string, boolean]>([
  ['lists', '['.repeat(201), true],
  ['objects', '{"a":'.repeat(201), true],
  ['lists and objects by turns', '[{"a":'.repeat(101), true],
  ['200 lists, whole', '['.repeat(200) + ']'.repeat(200), false],
  ['lists beside each other', '[],'.repeat(1_000), false],
  ['brackets inside a text', `"${'['.repeat(1_000)}"`, false],
  ['brackets behind an escaped quote', `"\\"${'['.repeat(1_000)}"`, false],
  ['brackets behind a text that ends with a backslash', `"\\\\"${'['.repeat(1_000)}`, true],
  ['brackets in a text without an end', `"${'['.repeat(1_000)}`, false],
])('depth of JSON: %s', (_, text, expected) => {
  expect(isTooDeep(space + text)).toBe(expected);
});

test('depth of JSON: a short text is passed to the parser unchecked', () => {
  expect(isTooDeep('['.repeat(16_384))).toBe(false);
  expect(isTooDeep('['.repeat(16_385))).toBe(true);
});

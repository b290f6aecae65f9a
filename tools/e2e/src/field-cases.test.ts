// docs/field-cases.md refers to the tests that cover public reports. A renamed or removed test must not leave a stale
// reference.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const page = 'docs/field-cases.md';

interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** Tests that a page refers to, one per line: "- `file`: `title`". */
function namedTests(text: string): readonly NamedTest[] {
  return [...text.matchAll(/^- `([^`]+\.test\.ts)`: `([^`]+)`$/gm)].map(([, file = '', title = '']) => ({
    file,
    title,
  }));
}

/** Whether a source has a string literal with this text. */
function hasTitle(source: string, title: string): boolean {
  return [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``].some((literal) =>
    source.includes(literal),
  );
}

/** Tests that the page refers to but that do not exist. */
function missingTests(tests: readonly NamedTest[]): readonly string[] {
  return tests
    .filter(({ file, title }) => {
      const path = join(root, file);
      return !existsSync(path) || !hasTitle(readFileSync(path, 'utf8'), title);
    })
    .map(({ file, title }) => `${file}: ${title}`);
}

test('field cases: every test that the page refers to exists', () => {
  const tests = namedTests(readFileSync(join(root, page), 'utf8'));
  expect(tests.length).toBeGreaterThan(100);
  expect(missingTests(tests)).toEqual([]);
});

test('field cases: every report has a test, and no report appears twice', () => {
  const [reports = ''] = readFileSync(join(root, page), 'utf8').split('\n## Without a test of their own');
  const sections = reports.split(/^### /m).slice(1);
  const titles = sections.map((section) => section.slice(0, section.indexOf('\n')));
  expect(new Set(titles).size).toBe(titles.length);
  expect(sections.filter((section) => namedTests(section).length === 0)).toEqual([]);
});

test('field cases: a renamed test and a missing file are detected', () => {
  const file = 'tools/e2e/src/field-cases.test.ts';
  const text = [
    `- \`${file}\`: \`field cases: every test that the page refers to exists\``,
    `- \`${file}\`: \`field cases: every test\``,
    '- `tools/e2e/src/absent.test.ts`: `absent`',
  ].join('\n');
  expect(missingTests(namedTests(text))).toEqual([
    `${file}: field cases: every test`,
    'tools/e2e/src/absent.test.ts: absent',
  ]);
});

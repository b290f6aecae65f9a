import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { repositoryRoot } from '../test/copied-root.js';
import { commands } from './commands/index.js';
import { commandExitCodes } from './exit-codes.js';
import { packageSchema } from './load/package-schema.js';
import { specFiles } from './load/spec.js';

const page = readFileSync(join(repositoryRoot, 'docs/codegen.md'), 'utf8');

/** First cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell.replaceAll('`', '')).slice(1);
}

test('docs/codegen.md: its tables list every key, file, command and exit code, and no others', () => {
  const { properties } = packageSchema('config') as { readonly properties: Record<string, unknown> };
  expect(firstCells('Configuration').sort()).toEqual(
    Object.keys(properties)
      .filter((key) => key !== '$schema')
      .sort(),
  );
  expect(firstCells('The spec').sort()).toEqual(Object.values(specFiles).sort());
  const names = (cells: string[]): string[] => [...new Set(cells.map((cell) => cell.split(' ')[0] ?? ''))].sort();
  expect(names(firstCells('Commands'))).toEqual(commands.map(({ name }) => name).sort());
  expect(names(firstCells('JSON')).filter((name) => name !== 'a')).toEqual(commands.map(({ name }) => name).sort());
  const rows = [...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code = '', means = '']) => [code, means]);
  expect(rows).toEqual(Object.entries(commandExitCodes));
});

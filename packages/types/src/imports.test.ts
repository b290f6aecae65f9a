import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

const source = import.meta.dirname;

function files(): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Modules that a file imports: relative ones by path, others by name. */
function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:^|[;}\s])(?:from|import|import\() *['"]([^'"]+)['"]/g);
  return [...specifiers].map(([, name = '']) =>
    name.startsWith('.') ? join(dirname(file), name).replace(/\.js$/, '.ts') : name,
  );
}

/** All modules that an entry imports, directly or indirectly. */
function closure(entry: string): Set<string> {
  const seen = new Set<string>();
  const visit = (module: string): void => {
    if (seen.has(module)) return;
    seen.add(module);
    if (module.startsWith(source)) importsOf(module).forEach(visit);
  };
  visit(join(source, entry));
  return seen;
}

test('imports: no file of the package imports Node, grpc-js or any other package', () => {
  const foreign = files().flatMap((file) =>
    importsOf(file)
      .filter((module) => !module.startsWith(source) || !existsSync(module))
      .map((module) => `${file.slice(source.length + 1)} imports ${module}`),
  );
  expect(files().length).toBeGreaterThan(480);
  expect(foreign).toEqual([]);
});

test('imports: gen/field.ts contains only types', () => {
  expect(readFileSync(join(source, 'gen/field.ts'), 'utf8')).not.toMatch(
    /^(?!export type|import type|\/[/*]|[ }*]|$)/m,
  );
});

test('imports: the entry imports no generated file, one query service only a few', () => {
  const shapes = join(source, 'gen/field.ts');
  const generated = (entry: string): number =>
    [...closure(entry)].filter((module) => module.includes('/gen/') && module !== shapes).length;
  expect(generated('index.ts')).toBe(0);
  expect(generated('gen/methods/hub/node/v3/query-service.ts')).toBeLessThan(12);
  expect(generated('gen/methods/hub/session/v3/query-service.ts')).toBeLessThan(18);
});

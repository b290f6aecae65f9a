// `npm run prove` and `npm run bench` run built files, while tests run the sources. These tests check that both behave
// the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from './run-program.js';

const workspace = resolve(import.meta.dirname, '../../..');

describe.each([
  ['proofs', 15],
  ['bench', 10],
] as const)('tools/%s after a build', (room, least) => {
  const src = join(workspace, 'tools', room, 'src');
  const dist = join(workspace, 'tools', room, 'dist');
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );

  it('every claim in its list can be loaded, and is listed by the program that npm runs', async () => {
    const list = readFileSync(join(src, 'index.ts'), 'utf8').match(/^export /gm) ?? [];
    const { code, text } = await runProgram(process.execPath, [join(dist, 'main.js'), '--list'], workspace);
    expect(code, text).toBe(0);
    const names = text
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
    expect(names.length).toBeGreaterThan(least);
    expect(new Set(names).size).toBe(list.length);
  });

  it('every file that a source refers to relative to itself also exists relative to the built file', () => {
    const named = sources.flatMap((file) =>
      placesIn(readFileSync(join(src, file), 'utf8')).map((place) => [file, place]),
    );
    expect(named.length).toBeGreaterThan(2);
    const missing = named.flatMap(([file = '', place = '']) =>
      [src, dist].map((folder) => resolve(folder, dirname(file), place)).filter((path) => !isThere(path)),
    );
    expect(missing.map((path) => relative(workspace, path))).toEqual([]);
  });
});

/** Literal parts of paths based on `import.meta`, up to the first computed part; for that one its suffix, as `dir/*.ts`. */
function placesIn(source: string): string[] {
  const joined = /(?:join|resolve)\(\s*import\.meta\.dirname,\s*((?:'[^']*'\s*,?\s*)+)(?:`[^`]*(\.\w+)`)?/g;
  const urls = /new URL\('([^']+)', import\.meta\.url\)/g;
  const parts = [...source.matchAll(joined)].map(([, list = '', ending = '']) => {
    const literal = join(...[...list.matchAll(/'([^']*)'/g)].map(([, part = '']) => part));
    return ending === '' ? literal : join(literal, `*${ending}`);
  });
  // A part with this ending is the prefix of a computed name.
  return [...parts.filter((place) => !place.endsWith('-')), ...[...source.matchAll(urls)].map(([, url = '']) => url)];
}

function isThere(path: string): boolean {
  const [folder = '', ending] = path.split('/*');
  if (ending === undefined || !existsSync(folder)) return existsSync(path);
  return readdirSync(folder).some((file) => file.endsWith(ending) && !file.endsWith('.d.ts'));
}

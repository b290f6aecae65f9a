import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/** Rules that the workspace's type-aware lint reports for a file, in order. */
async function rulesBroken(name: string, text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-lint-'));
  try {
    await writeFile(join(folder, 'tsconfig.json'), '{"compilerOptions":{"strict":true,"target":"es2023"}}');
    await writeFile(join(folder, name), text);
    const args = ['--type-aware', '--format=json', '-c', '.oxlintrc.json', join(folder, name)];
    const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/oxlint'), args, { cwd: root }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
    return diagnostics.map(({ code }) => code).toSorted();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const planted = `const parsed = JSON.parse('{}');
const later = async (): Promise<number> => Promise.resolve(1);
later();
export const name: string = parsed.name;
export const isLate = (value: number): boolean => value !== undefined;
`;

test('lint with types: a floating promise, an untyped value and an unnecessary condition are rejected', async () => {
  expect(await rulesBroken('planted.ts', planted)).toEqual([
    'typescript(no-floating-promises)',
    'typescript(no-unnecessary-condition)',
    'typescript(no-unsafe-assignment)',
    'typescript(no-unsafe-assignment)',
    'typescript(no-unsafe-member-access)',
  ]);
});

test('lint with types: tests may use untyped values, but must await their promises', async () => {
  expect(await rulesBroken('planted.test.ts', planted)).toEqual(['typescript(no-floating-promises)']);
});

test('lint with types: a file without errors passes', async () => {
  expect(await rulesBroken('sound.ts', 'export const sum = (a: number, b: number): number => a + b;\n')).toEqual([]);
});

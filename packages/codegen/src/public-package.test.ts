import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { repositoryRoot } from '../test/copied-root.js';
import { runCli } from './cli.js';
import { listFiles } from './list-files.js';
import { generatePackage } from './public-package.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hubwatch-package-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const generate = (out: string) => generatePackage({ root: repositoryRoot, profile: 'public', out });

test('public package: two folders get the same bytes, and files of an earlier run are removed', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await generate(one);
  const { files } = await generate(other);
  const paths = await listFiles(one);
  expect(paths).toEqual(await listFiles(other));
  expect(paths).toHaveLength(files);
  for (const path of paths)
    expect(await readFile(join(other, path), 'utf8')).toBe(await readFile(join(one, path), 'utf8'));
  await writeFile(
    join(one, 'src/gen/stale.ts'),
    `${(await readFile(join(one, 'src/gen/errors.ts'), 'utf8')).split('\n')[0]}\n`,
  );
  await generate(one);
  expect(await listFiles(one)).toEqual(paths);
});

test('public package: a folder with other content is not changed', async () => {
  await writeFile(join(folder, 'package.json'), '{ "name": "mine" }');
  await expect(generate(folder)).rejects.toThrow(/holds another package than @hubwatch\/types-public/);
  expect(await listFiles(folder)).toEqual(['package.json']);
});

test('public package: a source file that was not generated is not deleted', async () => {
  await generate(folder);
  await writeFile(join(folder, 'src/own.ts'), 'export const own = 1;\n');
  await expect(generate(folder)).rejects.toThrow(/src\/own\.ts was not generated/);
  expect(await listFiles(join(folder, 'src'))).toContain('own.ts');
});

test('public package: the command requires profile and folder, and the error lists the known profiles', async () => {
  const run = async (...args: string[]) => {
    let text = '';
    const keep = (part: string) => void (text += part);
    const code = await runCli(['generate', '--root', repositoryRoot, ...args], folder, { out: keep, err: keep });
    return { code, text };
  };
  expect(await run('--profile', 'public')).toMatchObject({ code: 2, text: expect.stringMatching(/give both/) });
  expect(await run('--profile', 'public', '--out', 'a', '--check')).toMatchObject({ code: 2 });
  expect(await run('--profile', 'other', '--out', 'a')).toMatchObject({
    code: 2,
    text: expect.stringMatching(/--profile other: .* naming profile public, no other/),
  });
  expect(await run('--profile', 'public', '--out', 'a')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^a: @hubwatch\/types-public \d+\.\d+\.\d+, \d+ files\./),
  });
  expect(await listFiles(join(folder, 'a'))).toContain('package.json');
});

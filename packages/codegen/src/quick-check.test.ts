import { cpSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot, outputFolder, repositoryRoot } from '../test/copied-root.js';
import { generate } from './generate.js';
import { readProject } from './project/find-project.js';
import { configName } from './project/project.js';
import { quickCheck } from './quick-check.js';
import { digestProgram } from './stamp.js';

const form = `${outputFolder}/forms/hub/node/v3/node.ts`;

describe('quick check', () => {
  let copy: CopiedRoot;
  const path = (file: string): string => join(copy.root, file);

  beforeAll(async () => {
    copy = copyRoot({ output: 'none' });
    // A few files are sufficient, and are generated faster.
    await copy.edit(configName, (text) => `${text}emitters: [forms, naming]\n`);
    await generate({ root: copy.root });
  });
  afterAll(() => copy.remove());

  /** Changes a file and preserves its size and times. */
  function replace(file: string, from: string, to: string): () => void {
    const old = readFileSync(path(file), 'utf8');
    const { atime, mtime, size } = statSync(path(file));
    const write = (text: string): void => {
      writeFileSync(path(file), text);
      utimesSync(path(file), atime, mtime);
    };
    write(old.replace(from, to));
    expect(statSync(path(file))).toMatchObject({ size, mtime });
    expect(readFileSync(path(file), 'utf8')).not.toBe(old);
    return () => write(old);
  }

  test('quick check: after a run it works in any folder below the root, with the report of a full one', async () => {
    const full = await generate({ root: copy.root, check: true });
    expect((await quickCheck(copy.root))?.report).toEqual(full);
    expect((await quickCheck(path('proto/spec')))?.project).toEqual({
      ...readProject(copy.root),
      configPath: undefined,
    });
  });

  test.each([
    ['a generated file', form, 'status_at', 'status_as'],
    ['a proto file', 'proto/hub/node/v3/node.proto', 'status_at', 'status_as'],
    ['the spec', 'proto/spec/enums.yaml', 'active', 'astive'],
    ['the naming profile', 'proto/spec/naming-public.json', '"', "'"],
    ['a digest of the lock', 'proto/lock.json', '0', '1'],
    ['an option of the configuration', configName, 'types/src/runtime', 'types/src/runtame'],
  ])(
    'quick check: %s has another byte, but the same size and time: a full run is required',
    async (_, file, from, to) => {
      const undo = replace(file, from, to);
      try {
        expect(await quickCheck(copy.root)).toBeUndefined();
        const found = await generate({ root: copy.root, check: true }).then(
          ({ differences }) => differences.map((each) => each.path).join(),
          (error: unknown) => (error as Error).message,
        );
        expect(found).not.toBe('');
      } finally {
        undo();
      }
      expect(await quickCheck(copy.root)).toBeDefined();
    },
  );

  test('quick check: a generated file is missing, or an extra one exists: a full run is required', async () => {
    const text = readFileSync(path(form), 'utf8');
    rmSync(path(form));
    expect(await quickCheck(copy.root)).toBeUndefined();
    writeFileSync(path(form), text);
    expect(await quickCheck(copy.root)).toBeDefined();
    const more = path(`${outputFolder}/more.ts`);
    writeFileSync(more, text);
    expect(await quickCheck(copy.root)).toBeUndefined();
    rmSync(more);
    expect(await quickCheck(copy.root)).toBeDefined();
  });

  test('quick check: a run with choices other than the configuration leaves no result for it', async () => {
    const project = readProject(copy.root);
    await generate({ root: { ...project, output: 'elsewhere', emitters: ['naming'] } });
    expect(await quickCheck(copy.root)).toBeUndefined();
    await generate({ root: copy.root });
    expect(await quickCheck(copy.root)).toBeDefined();
  });

  test('quick check: a stamp that is truncated or of another form is ignored', async () => {
    const stamp = path('node_modules/.cache/hubwatch-codegen/stamp.json');
    const text = readFileSync(stamp, 'utf8');
    for (const wrong of [
      text.slice(0, 100),
      '{}',
      'null',
      JSON.stringify({ ...JSON.parse(text), project: { protos: 5 } }),
    ]) {
      writeFileSync(stamp, wrong);
      expect(await quickCheck(copy.root)).toBeUndefined();
    }
    writeFileSync(stamp, text);
  });

  test('quick check: the command prints the text of a full check, and detects a changed byte', async () => {
    const tsx = join(repositoryRoot, 'node_modules/tsx/dist/esm/index.mjs');
    const args = ['--import', tsx, join(import.meta.dirname, 'main.ts'), 'generate', '--check'];
    const run = () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy.root, encoding: 'utf8' });
      return { status, stdout: stdout.replace(/[\d.]+ s$/m, '? s'), stderr };
    };
    expect(run()).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^packages\/types\/src\/gen: up to date; \d+ files from 202 protos, .* \? s\n$/,
      ) as string,
      stderr: '',
    });
    const undo = replace(form, 'status_at', 'status_as');
    expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(form) as string });
    undo();
  });
});

test('stamp: one changed line of the program makes another program', async () => {
  const copy = copyRoot({ output: 'none' });
  try {
    const src = join(copy.root, 'packages/codegen/src');
    for (const part of ['src', 'schema', 'package.json']) {
      cpSync(join(repositoryRoot, 'packages/codegen', part), join(src, '..', part), { recursive: true });
    }
    const before = await digestProgram(src);
    expect(before).toEqual(await digestProgram());
    for (const file of ['src/emit/forms.ts', 'schema/config.json', 'package.json']) {
      await copy.withEdit(
        `packages/codegen/${file}`,
        (text) => `${text}\n`,
        async () => {
          expect(await digestProgram(src)).not.toEqual(before);
        },
      );
    }
  } finally {
    await copy.remove();
  }
});

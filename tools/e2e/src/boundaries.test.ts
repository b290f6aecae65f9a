import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const eslint = new ESLint({ cwd: root });

/** Lints a text as the content of `file`, and returns the messages of the boundary rules. */
async function boundaryErrors(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: resolve(root, file) });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'hubwatch/rooms' || ruleId === '@nx/enforce-module-boundaries')
    .map(({ message }) => message);
}

/** The rules broken by a text, including the ban on `globalThis.`. */
async function rulesBroken(file: string, text: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(text, { filePath: resolve(root, file) });
  return (result?.messages ?? [])
    .map(({ ruleId }) => ruleId)
    .filter((rule) =>
      ['no-restricted-properties', 'no-restricted-globals', 'no-restricted-syntax'].includes(rule ?? ''),
    );
}

describe('timers', () => {
  const folders = ['packages/client/src', 'packages/codegen/src', 'packages/daemon/src/checks'];

  it.each(folders)('timers: %s must not use AbortSignal.any or AbortSignal.timeout in any spelling', async (folder) => {
    for (const text of [
      'AbortSignal.timeout(1_000);',
      'AbortSignal.any([]);',
      "AbortSignal['timeout'](1_000);",
      'const { timeout } = AbortSignal;',
      'globalThis.AbortSignal.any([]);',
    ]) {
      expect([text, await rulesBroken(`${folder}/boundary-fixture.ts`, `${text}\n`)]).not.toEqual([text, []]);
    }
  });

  it.each(['packages/client/src', 'packages/daemon/src/checks'])(
    'timers: %s must not start a timer without the clock',
    async (folder) => {
      for (const text of [
        'setTimeout(() => {}, 1);',
        'setInterval(() => {}, 1);',
        'globalThis.setTimeout(() => {}, 1);',
      ]) {
        expect([text, await rulesBroken(`${folder}/boundary-fixture.ts`, `${text}\n`)]).not.toEqual([text, []]);
      }
    },
  );

  it('timers: a method with the same name, a test, and the clock itself are allowed', async () => {
    expect(
      await rulesBroken('packages/daemon/src/checks/boundary-fixture.ts', 'clock.setTimeout(() => {}, 1);\n'),
    ).toEqual([]);
    expect(await rulesBroken('packages/client/src/clock.ts', 'setTimeout(() => {}, 1);\n')).toEqual([]);
  });
});

describe('module boundaries', () => {
  it.each([
    ['packages/types', '@hubwatch/client'],
    ['packages/client', '@hubwatch/daemon'],
    ['packages/codegen', '@hubwatch/types'],
    ['tools/devnode', '@hubwatch/client'],
  ])('boundaries: %s must not import %s', async (folder, imported) => {
    const errors = await boundaryErrors(`${folder}/src/boundary-fixture.ts`, `import '${imported}';\n`);
    expect(errors.join('\n')).toMatch(/A project tagged with|Circular dependency/);
  });

  it('boundaries: client may import types', async () => {
    expect(
      await boundaryErrors('packages/client/src/boundary-fixture.ts', "import '@hubwatch/types/runtime/table';\n"),
    ).toEqual([]);
  });

  const planted = [
    ["import '../alerts/machine.js';", 'static import'],
    ["import type { A } from '../alerts/alert.js';", 'import of a type'],
    ["export * from '../alerts/machine.js';", 'export'],
    ["export { A } from '../alerts/machine.js';", 'named export'],
    ["void import('../alerts/machine.js');", 'dynamic import'],
    ["type A = import('../alerts/alert.js').Alert;", 'type expression'],
    ["import '../web/page.js';", 'another folder'],
    ["import '../app.js';", 'a file that builds the parts'],
    ["import '../../test/parts.js';", 'a file outside src'],
  ] as const;

  it.each(planted)('boundaries: a check of the daemon must not import other folders: %s (%s)', async (text) => {
    const errors = await boundaryErrors(
      'packages/daemon/src/checks/node/boundary-fixture.ts',
      `${text.replace("'../", "'../../")}\n`,
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('checks may import only');
  });

  it.each([
    ['packages/daemon/src/config/boundary-fixture.ts', '../checks/check.js'],
    ['packages/daemon/src/log.ts', './config/schema.js'],
    ['packages/client/src/error.ts', './connect.js'],
    ['packages/client/src/rest/boundary-fixture.ts', '../grpc/transport.js'],
    ['packages/codegen/src/load/boundary-fixture.ts', '../emit/emitters.js'],
    ['packages/types/src/runtime/boundary-fixture.ts', '../gen/errors.js'],
    ['tools/devnode/src/chain/boundary-fixture.ts', '../servers/rest.js'],
    // A folder that is missing in the table.
    ['packages/daemon/src/new-room/boundary-fixture.ts', '../config/schema.js'],
    ['packages/client/src/new-file.ts', './error.js'],
  ])('boundaries: %s must not import %s', async (file, imported) => {
    const errors = await boundaryErrors(file, `import '${imported}';\n`);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/may import (?:only|no other room)/);
  });

  it('boundaries: a folder may import itself and the folders in its list', async () => {
    const text =
      "import './other.js';\nimport '../../endpoints/endpoint.js';\nvoid import('../../config/schema.js');\n";
    expect(await boundaryErrors('packages/daemon/src/checks/node/boundary-fixture.ts', text)).toEqual([]);
  });

  it('boundaries: the tables list exactly the existing folders', async () => {
    for (const folder of [
      'packages/types',
      'packages/client',
      'packages/codegen',
      'packages/daemon',
      'tools/devnode',
    ]) {
      const table = JSON.parse(await readFile(join(root, folder, 'boundaries.json'), 'utf8')) as Record<
        string,
        string[]
      >;
      const names = (await readdir(join(root, folder, 'src'))).filter((name) => !name.endsWith('.test.ts'));
      const rooms = names.map((name) => name.replace(/\.ts$/, '')).toSorted();
      expect([folder, Object.keys(table).toSorted()]).toEqual([folder, rooms]);
      expect(
        Object.values(table)
          .flat()
          .filter((allowed) => !rooms.includes(allowed) && !existsSync(join(root, folder, 'src', `${allowed}.ts`))),
      ).toEqual([]);
    }
  });

  it('boundaries: two files that import each other are rejected, even for a type only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hubwatch-circle-'));
    try {
      await copyFile(join(root, 'biome.json'), join(folder, 'biome.json'));
      await writeFile(
        join(folder, 'first.ts'),
        "import type { Second } from './second.js';\n\nexport interface First {\n  readonly second?: Second;\n}\n",
      );
      const second = (body: string) => writeFile(join(folder, 'second.ts'), body);
      const check = () => promisify(execFile)(join(root, 'node_modules/.bin/biome'), ['ci', '.'], { cwd: folder });
      await second('export interface Second {\n  readonly first?: string;\n}\n');
      await check();
      await second(
        "import type { First } from './first.js';\n\nexport interface Second {\n  readonly first?: First;\n}\n",
      );
      await expect(check()).rejects.toMatchObject({
        stderr: expect.stringContaining('lint/suspicious/noImportCycles') as string,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('tests: assertions on elapsed time are rejected', async () => {
    const text =
      "import { expect } from 'vitest';\n\nconst began = 0;\nexpect(performance.now() - began).toBeLessThan(5);\n";
    const [result] = await eslint.lintText(text, { filePath: resolve(root, 'packages/client/src/clock.test.ts') });
    expect(result?.messages.map(({ message }) => message)).toContain(
      'Tests must not assert elapsed time: assert an order or a count, or write a bench.',
    );
  });
});

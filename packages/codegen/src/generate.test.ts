import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot, repositoryRoot, withoutLine } from '../test/copied-root.js';
import { emitAll } from './emit/emit-all.js';
import type { EmittedFile } from './emit/emitter.js';
import { emitters } from './emit/index.js';
import { generatedHeader } from './emit/source-file.js';
import { generate } from './generate.js';
import { link } from './load/link.js';
import { type Input, load } from './load/load.js';
import { buildModel } from './model/build-model.js';
import { outputFolder } from './output.js';

async function emitFrom({ set, spec }: Input): Promise<EmittedFile[]> {
  const linked = link(set);
  return emitAll(emitters, { model: buildModel(linked, spec), linked, spec });
}

/** Reverses the order of all maps and of the lists whose order says nothing. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, name === 'implementations' ? [...(member as string[])].reverse() : member]),
  ) as T;
}

function shuffleSpec({ availability, any, enums, events, rpc, errors, naming }: Input['spec']): Input['spec'] {
  const deep = <T>(value: T): T =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : (Object.fromEntries(Object.entries(reversed(value)).map(([name, member]) => [name, deep(member)])) as T);
  return {
    availability: deep(availability),
    any: deep(any),
    enums: deep(enums),
    events: { packages: [...events.packages].reverse() },
    // Members of a shape and parameters stand in an order that means something.
    rpc: { methods: reversed(rpc.methods), shapes: reversed(rpc.shapes) },
    errors: { codes: reversed(errors.codes) },
    naming: deep(naming),
  };
}

test('generate: shuffled inputs give the same bytes', async () => {
  const input = await load(repositoryRoot);
  const shuffled: Input = {
    set: create(FileDescriptorSetSchema, { file: [...input.set.file].reverse() }),
    spec: shuffleSpec(input.spec),
  };
  const [plain, other] = await Promise.all([emitFrom(input), emitFrom(shuffled)]);
  expect(other.map(({ path }) => path)).toEqual(plain.map(({ path }) => path));
  expect(other.filter(({ text }, index) => text !== plain[index]?.text).map(({ path }) => path)).toEqual([]);
});

/** A copy with a way to change a file, look at what follows and take the change back. */
function useCopy(without: readonly string[] = []) {
  const state = {} as { copy: CopiedRoot };
  beforeAll(async () => {
    state.copy = await copyRoot(without);
  });
  afterAll(() => state.copy.remove());
  return {
    root: () => state.copy.root,
    withEdit: async (path: string, change: (text: string) => string, look: () => Promise<void>): Promise<void> => {
      const old = await state.copy.read(path);
      await state.copy.edit(path, change);
      try {
        await look();
      } finally {
        await writeFile(join(state.copy.root, path), old);
      }
    },
  };
}

describe('generate --check', () => {
  const { root, withEdit } = useCopy();
  const check = () => generate({ root: root(), check: true });

  test('generate --check: the committed files are up to date', async () => {
    const report = await check();
    expect(report.differences).toEqual([]);
    expect(report).toMatchObject({ protos: 202, services: 41, methods: 236 });
  });

  test('generate --check: one changed byte of a generated file is found, with file and line, although a stamp is there', async () => {
    await withEdit(
      'packages/types/src/gen/forms/hub/node/v3/node.ts',
      (text) => text.replace("no: 7, name: 'status_at'", "no: 8, name: 'status_at'"),
      async () => {
        const { differences } = await check();
        expect(differences).toHaveLength(1);
        expect(differences[0]?.path).toBe('forms/hub/node/v3/node.ts');
        expect(differences[0]?.what).toMatch(/^line \d+ differs\n.*no: 8.*\n.*no: 7/);
      },
    );
    expect((await check()).differences).toEqual([]);
  });

  test('generate --check: neither working folder, locale nor time zone matters', async () => {
    await rm(join(root(), 'node_modules'), { recursive: true, force: true });
    const tsx = join(repositoryRoot, 'node_modules/tsx/dist/esm/index.mjs');
    const main = join(import.meta.dirname, 'main.ts');
    const env = { PATH: process.env['PATH'], LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR', TZ: 'Asia/Kathmandu' };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', tsx, main, 'generate', '--check', '--root', root()],
      { cwd: '/', encoding: 'utf8', env },
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('up to date');
    expect(status).toBe(0);
  });
});

describe('generate without wire types', () => {
  // ts-proto takes most of the time and has no part in what is shown here.
  const { root, withEdit } = useCopy(['messages']);
  const ours = emitters.filter(({ name }) => name !== 'messages');
  const run = (check: boolean) => generate({ root: root(), check, emitters: ours });
  const failure = (): Promise<string> =>
    run(true).then(
      ({ differences }) => `passed with ${differences.length} differences`,
      (error: unknown) => (error as Error).message,
    );

  test('generate: a deleted file is written again, a stale one deleted', async () => {
    await rm(join(root(), outputFolder, 'errors.ts'));
    await writeFile(join(root(), outputFolder, 'gone.ts'), `${generatedHeader}\n`);
    const expected = [
      { path: 'errors.ts', what: 'missing' },
      { path: 'gone.ts', what: 'stale: nothing generates it any more' },
    ];
    expect((await run(true)).differences).toEqual(expected);
    expect((await run(false)).differences).toEqual(expected);
    expect((await run(true)).differences).toEqual([]);
  });

  test('generate: a foreign file in the output folder is an error that names it', async () => {
    const note = join(root(), outputFolder, 'note.txt');
    await writeFile(note, 'mine');
    expect(await failure()).toContain('packages/types/src/gen/note.txt was not generated');
    await rm(note);
  });

  test('generate: a deleted proto field is named, with its file; nothing is written before the lock is renewed', async () => {
    const withoutField = (text: string): string =>
      text.replace(/ *google\.protobuf\.Timestamp inactive_at[^;]*;\n/, '');
    await withEdit('proto/hub/node/v3/node.proto', withoutField, async () => {
      const text = await failure();
      expect(text).toContain('proto/hub/node/v3/node.proto differs from its digest');
      expect(text).toContain('inactiveAt');
      expect(text).toContain('npm run generate -- --lock');
      await expect(run(false)).rejects.toThrow('proto/hub/node/v3/node.proto differs from its digest');
      const accepted = await generate({ root: root(), lock: true, emitters: ours });
      expect(accepted.differences.map(({ path }) => path)).toEqual(['forms/hub/node/v3/node.ts']);
      expect((await run(true)).differences).toEqual([]);
    });
    await generate({ root: root(), lock: true, emitters: ours });
  });

  const deletions: [file: string, line: string, named: string[]][] = [
    [
      'availability.yaml',
      '      rest: hub-plan-v3-rest',
      ['hub.plan.v3.QueryService/QueryPlans', 'no availability for transport rest'],
    ],
    [
      'availability.yaml',
      '      rest: served',
      ['stack.auth.v1beta1.Query/Accounts', 'no availability for transport rest'],
    ],
    ['availability.yaml', '    reason: is refused by abci_query', ['/unserved/broadcast-abci', 'reason']],
    ['availability.yaml', '      - /hub/node/v1/nodes', ['hub.node.v1.QueryService', '/hub/node/v1/nodes']],
    ['any.yaml', 'hub.session.v3.QuerySessionResponse.session:', ['hub.session.v3.QuerySessionResponse.session']],
    ['any.yaml', '      - hub.node.v3.Session', ['proto/spec/any.yaml', 'forms/hub/node/v3/session']],
    [
      'any.yaml',
      '      - stack.bank.v1beta1.SendAuthorization',
      ['stack.authz.v1beta1.Authorization has no line for stack.bank.v1beta1.SendAuthorization'],
    ],
    ['enums.yaml', 'STATUS_INACTIVE_PENDING: inactive_pending', ['hub.types.v1.Status', 'STATUS_INACTIVE_PENDING']],
    ['events.yaml', '  - hub.lease.v1', ['proto/spec/events.yaml', 'forms/hub/lease/v1/events.ts']],
    ['rpc.yaml', '    result: NetInfo', ['proto/spec/rpc.yaml', 'net_info']],
    ['errors.yaml', '    documented: §8 row 5', ['/codes/timeout', 'documented']],
    ['naming-public.json', '"x-stack-block-height": ', ['proto/spec/naming-public.json', 'x-stack-block-height']],
  ];
  test.each(deletions)('generate: %s without the line %s is refused by name', async (file, line, named) => {
    await withEdit(`proto/spec/${file}`, withoutLine(line), async () => {
      const text = await failure();
      for (const name of named) expect(text).toContain(name);
    });
  });
});

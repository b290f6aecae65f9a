import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create } from '@bufbuild/protobuf';
import { type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot, outputFolder, repositoryRoot, withoutLine } from '../test/copied-root.js';
import { sharedInput } from '../test/shared-input.js';
import { emitAll } from './emit/emit-all.js';
import type { EmitInput } from './emit/emitter.js';
import { emitters } from './emit/index.js';
import { pluginRequest } from './emit/messages.js';
import { generatedHeader } from './emit/source-file.js';
import { generate } from './generate.js';
import { compileProtos } from './load/compile-protos.js';
import { link, type Linked } from './load/link.js';
import type { Spec } from './load/spec-types.js';
import { buildModel } from './model/build-model.js';
import { readOutput } from './output.js';
import { readProject } from './project/find-project.js';

// ts-proto takes most of the time, and no test here depends on its output.
const ours = emitters.filter(({ name }) => name !== 'messages');

function emitInput(linked: Linked, spec: Spec): EmitInput {
  return { model: buildModel(linked, spec), linked, spec };
}

/** Reverses the order of all maps, and of the lists whose order has no meaning. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, name === 'implementations' ? [...(member as string[])].reverse() : member]),
  ) as T;
}

function shuffleSpec({
  availability,
  any,
  enums,
  names,
  events,
  rpc,
  errors,
  lists,
  options,
  docs,
  naming,
}: Spec): Spec {
  const deep = <T>(value: T): T =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : (Object.fromEntries(Object.entries(reversed(value)).map(([name, member]) => [name, deep(member)])) as T);
  return {
    availability: deep(availability),
    any: deep(any),
    enums: deep(enums),
    names: { ...deep(names), events: [...names.events].reverse() },
    events: { packages: [...events.packages].reverse() },
    // The order of members of a shape and of parameters has a meaning.
    rpc: { ...rpc, methods: reversed(rpc.methods), shapes: reversed(rpc.shapes) },
    errors: { codes: reversed(errors.codes) },
    lists: deep(lists),
    options: deep(options),
    docs: deep(docs),
    naming: deep(naming),
  };
}

test('generate: shuffled inputs produce the committed bytes', async () => {
  const { set, spec, linked } = await sharedInput();
  const shuffled = emitInput(
    link(create(FileDescriptorSetSchema, { file: [...set.file].reverse() })),
    shuffleSpec(spec),
  );
  // The output of ts-proto depends only on its request, and the tests of --check compare it with the committed files.
  expect(
    Buffer.from(pluginRequest(shuffled, shuffled.linked.set.file)).equals(
      pluginRequest(emitInput(linked, spec), linked.set.file),
    ),
  ).toBe(true);
  const files = await emitAll(ours, shuffled);
  const committed = [...(await readOutput(readProject(repositoryRoot)))].filter(
    ([path]) => !path.startsWith('messages/'),
  );
  expect(files.map(({ path }) => path).sort()).toEqual(committed.map(([path]) => path).sort());
  const texts = new Map(committed);
  expect(files.filter(({ path, text }) => text !== texts.get(path)).map(({ path }) => path)).toEqual([]);
});

describe('generate without wire types', () => {
  let copy: CopiedRoot;
  let descriptors: FileDescriptorSet;

  beforeAll(async () => {
    copy = copyRoot({ output: { without: 'messages' } });
    descriptors = (await sharedInput()).set;
  });
  afterAll(() => copy.remove());

  const run = (check: boolean, from = descriptors) =>
    generate({ root: copy.root, check, emitters: ours, descriptors: from });
  const failure = (from = descriptors): Promise<string> =>
    run(true, from).then(
      ({ differences }) => `passed with ${differences.length} differences`,
      (error: unknown) => (error as Error).message,
    );

  test('generate: a deleted file is written again, a stale one is deleted', async () => {
    await rm(join(copy.root, outputFolder, 'errors.ts'));
    await writeFile(join(copy.root, outputFolder, 'gone.ts'), `${generatedHeader}\n`);
    const expected = [
      { path: 'errors.ts', what: 'missing' },
      { path: 'gone.ts', what: 'stale: nothing generates it any more' },
    ];
    expect((await run(true)).differences).toEqual(expected);
    expect((await run(false)).differences).toEqual(expected);
    expect((await run(true)).differences).toEqual([]);
  });

  test('generate: a manual edit is reported with its line and overwritten; a second run changes nothing', async () => {
    const path = 'methods/hub/node/v3/query-service.ts';
    const [name, text] = ['QueryNodes', await copy.read(`${outputFolder}/${path}`)];
    await copy.edit(`${outputFolder}/${path}`, (old) => old.replace(`name: '${name}'`, "name: 'QueryEveryNode'"));
    const [found, ...more] = (await run(true)).differences;
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      path,
      what: expect.stringMatching(/^line \d+ differs\n.*QueryEveryNode.*\n.*QueryNodes/) as string,
    });
    expect((await run(false)).differences).toEqual([found]);
    expect(await copy.read(`${outputFolder}/${path}`)).toBe(text);
    const trees = [await readOutput(readProject(copy.root))];
    expect((await run(false)).differences).toEqual([]);
    trees.push(await readOutput(readProject(copy.root)));
    expect(trees[1]).toEqual(trees[0]);
  });

  test('generate: a foreign file in the output folder is an error that names it', async () => {
    const note = join(copy.root, outputFolder, 'note.txt');
    await writeFile(note, 'mine');
    expect(await failure()).toContain('packages/types/src/gen/note.txt was not generated');
    await rm(note);
  });

  test('generate: a deleted proto field is reported with its file; nothing is written before the lock is renewed', async () => {
    const withoutField = (text: string): string =>
      text.replace(/ *google\.protobuf\.Timestamp inactive_at[^;]*;\n/, '');
    await copy.withEdit('proto/hub/node/v3/node.proto', withoutField, async () => {
      const changed = await compileProtos(join(copy.root, 'proto'));
      const text = await failure(changed);
      expect(text).toContain('proto/hub/node/v3/node.proto differs from its digest');
      expect(text).toContain('Deadline of the next heartbeat of an active node');
      expect(text).toContain('npm run generate -- --lock');
      await expect(run(false, changed)).rejects.toThrow('proto/hub/node/v3/node.proto differs from its digest');
      const accept = () => generate({ root: copy.root, lock: true, emitters: ours });
      await expect(accept()).rejects.toThrow(
        /proto\/spec\/docs\.yaml:\d+: hub\.node\.v3\.Node\.inactive_at is not declared/,
      );
      await copy.withEdit('proto/spec/docs.yaml', withoutLine('  hub.node.v3.Node.inactive_at:'), async () => {
        expect((await accept()).differences.map(({ path }) => path)).toEqual(['forms/hub/node/v3/node.ts']);
        expect((await run(true, changed)).differences).toEqual([]);
      });
    });
    await generate({ root: copy.root, lock: true, emitters: ours, descriptors });
  });

  test('generate: a missing spec file is reported by name', async () => {
    const path = join(copy.root, 'proto/spec/any.yaml');
    const text = await copy.read('proto/spec/any.yaml');
    await rm(path);
    expect(await failure()).toContain('proto/spec/any.yaml cannot be read');
    await writeFile(path, text);
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
    [
      'availability.yaml',
      '    reason: is refused by abci_query',
      ['availability.yaml:', 'unserved.broadcast-abci: the key "reason" is missing'],
    ],
    ['availability.yaml', '      - /hub/node/v1/nodes', ['hub.node.v1.QueryService', '/hub/node/v1/nodes']],
    ['any.yaml', 'hub.session.v3.QuerySessionResponse.session:', ['hub.session.v3.QuerySessionResponse.session']],
    ['any.yaml', '      - hub.node.v3.Session', ['proto/spec/any.yaml', 'forms/hub/node/v3/session']],
    [
      'any.yaml',
      '      - stack.bank.v1beta1.SendAuthorization',
      ['stack.authz.v1beta1.Authorization has no line for stack.bank.v1beta1.SendAuthorization'],
    ],
    ['docs.yaml', 'hub.swap.v1.Swap: ', ['proto/spec/docs.yaml', 'forms/hub/swap/v1/swap.ts']],
    ['enums.yaml', 'STATUS_INACTIVE_PENDING: inactive_pending', ['hub.types.v1.Status', 'STATUS_INACTIVE_PENDING']],
    ['events.yaml', '  - hub.lease.v1', ['proto/spec/events.yaml', 'forms/hub/lease/v1/events.ts']],
    ['rpc.yaml', '    result: NetInfo', ['proto/spec/rpc.yaml', 'net_info']],
    [
      'errors.yaml',
      '    documented: "limits: broadcast commit"',
      ['errors.yaml:', 'codes.timeout: the key "documented" is missing'],
    ],
    ['naming-public.json', '"x-stack-block-height": ', ['proto/spec/naming-public.json', 'x-stack-block-height']],
  ];
  test.each(deletions)('generate: %s without the line %s is refused by name', async (file, line, named) => {
    await copy.withEdit(`proto/spec/${file}`, withoutLine(line), async () => {
      const text = await failure();
      for (const name of named) expect(text).toContain(name);
    });
  });

  test.each([
    ['limits.yaml', 'source: "gateway: paging"', 'source: gateway \u00a72.8', 'count_in_lists.observed.source'],
    ['errors.yaml', 'documented: "limits: broadcast commit"', 'documented: \u00a78 row 5', 'codes.timeout.documented'],
  ])('generate: a numbered clause in %s instead of a topic is refused by name', async (file, topic, clause, named) => {
    const edit = (text: string): string => text.replace(topic, clause);
    await copy.withEdit(`proto/spec/${file}`, edit, async () => expect(await failure()).toContain(named));
  });
});

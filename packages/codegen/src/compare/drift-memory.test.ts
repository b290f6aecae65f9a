import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot } from '../../test/copied-root.js';
import { readProject } from '../project/find-project.js';
import type { PulledFiles } from '../pull/pull-files.js';
import { digestNode, digestProject, readMemory, writeMemory } from './drift-memory.js';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const pulled: PulledFiles = {
  files: new Map([
    ['a.proto', bytes(1, 2, 3)],
    ['b.proto', bytes(4)],
  ]),
  services: ['a.Query', 'b.Query'],
  unknown: [],
};

test('drift memory: a different order of responses is not a change of a node', () => {
  const turned: PulledFiles = {
    files: new Map([...pulled.files].reverse()),
    services: [...pulled.services].reverse(),
    unknown: [],
  };
  expect(digestNode(turned)).toBe(digestNode(pulled));
});

test.each<[string, Partial<PulledFiles>]>([
  ['one byte of a file', { files: new Map([...pulled.files, ['b.proto', bytes(5)]]) }],
  [
    'the path of a file',
    {
      files: new Map([
        ['a.proto', bytes(1, 2, 3)],
        ['c.proto', bytes(4)],
      ]),
    },
  ],
  ['one file more', { files: new Map([...pulled.files, ['c.proto', bytes()]]) }],
  ['one file less', { files: new Map([['a.proto', bytes(1, 2, 3)]]) }],
  [
    'contents that changed places',
    {
      files: new Map([
        ['a.proto', bytes(4)],
        ['b.proto', bytes(1, 2, 3)],
      ]),
    },
  ],
  ['one service less', { services: ['a.Query'] }],
  ['one service more', { services: [...pulled.services, 'c.Query'] }],
])('drift memory: %s is another node', (_, change) => {
  expect(digestNode({ ...pulled, ...change })).not.toBe(digestNode(pulled));
});

describe('drift memory of a project', () => {
  let copy: CopiedRoot;
  beforeAll(() => {
    copy = copyRoot({ output: 'none' });
  });
  afterAll(() => copy.remove());

  test.each(['proto/lock.json', 'proto/spec/availability.yaml', 'proto/spec/naming-public.json'])(
    'drift memory: one changed byte of %s makes another project',
    async (file) => {
      const before = await digestProject(readProject(copy.root));
      expect(await digestProject(readProject(copy.root))).toBe(before);
      await copy.withEdit(
        file,
        (text) => `${text} `,
        async () => expect(await digestProject(readProject(copy.root))).not.toBe(before),
      );
    },
  );

  test('drift memory: is read as it was written; a broken one is ignored', async () => {
    const project = readProject(copy.root);
    expect(await readMemory(project)).toBeUndefined();
    await writeMemory(project, { project: 'p', node: 'n' });
    expect(await readMemory(project)).toEqual({ project: 'p', node: 'n' });
    await copy.edit('node_modules/.cache/hubwatch-codegen/drift.json', (text) => text.slice(1));
    expect(await readMemory(project)).toBeUndefined();
  });
});

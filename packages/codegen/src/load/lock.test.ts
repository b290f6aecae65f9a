import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot, repositoryRoot } from '../../test/copied-root.js';
import { readProject } from '../project/find-project.js';
import { digestInputs, findLockFault, writeLock } from './lock.js';

let copy: CopiedRoot;
const fault = async (): Promise<string | undefined> =>
  findLockFault(readProject(copy.root), await digestInputs(readProject(copy.root)));

beforeAll(() => {
  copy = copyRoot({ output: 'none' });
});
afterAll(() => copy.remove());

test('lock: the committed one contains every input and matches it', async () => {
  expect(
    await findLockFault(readProject(repositoryRoot), await digestInputs(readProject(repositoryRoot))),
  ).toBeUndefined();
  const files = Object.keys(await digestInputs(readProject(repositoryRoot)));
  expect(files.filter((path) => path.endsWith('.proto'))).toHaveLength(335);
  expect(files).toContain('proto/spec/availability.yaml');
  expect(files).toContain('proto/spec/schema/availability.json');
  expect(files).not.toContain('proto/lock.json');
});

test('lock: a changed, a missing and an added file are reported by name, with advice', async () => {
  await copy.edit('proto/hub/node/v3/node.proto', (text) => `${text}\n`);
  await rm(join(copy.root, 'proto/hub/swap/v1/swap.proto'));
  await mkdir(join(copy.root, 'proto/hub/new'));
  await writeFile(join(copy.root, 'proto/hub/new/new.proto'), 'syntax = "proto3";\n');
  const text = await fault();
  expect(text).toContain('proto/hub/node/v3/node.proto differs from its digest');
  expect(text).toContain('proto/hub/swap/v1/swap.proto is locked but missing');
  expect(text).toContain('proto/hub/new/new.proto is not locked');
  expect(text).toContain('run `npm run generate -- --lock`');
  await writeLock(readProject(copy.root), await digestInputs(readProject(copy.root)));
  expect(await fault()).toBeUndefined();
});

test('lock: without the file, or with a broken one, the message states how to create it', async () => {
  await writeFile(join(copy.root, 'proto/lock.json'), '{');
  await expect(fault()).rejects.toThrow('proto/lock.json is no JSON');
  await rm(join(copy.root, 'proto/lock.json'));
  await expect(fault()).rejects.toThrow('run `npm run generate -- --lock`');
});

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { compileProtos } from './compile-protos.js';
import { scriptOfPackage } from './run-tool.js';

test('proto/: buf lint reports nothing', () => {
  const buf = scriptOfPackage('@bufbuild/buf', 'bin/buf');
  const { stdout, stderr, status } = spawnSync(process.execPath, [buf, 'lint', join(repositoryRoot, 'proto')], {
    encoding: 'utf8',
  });
  expect(stdout + stderr).toBe('');
  expect(status).toBe(0);
});

test('compile: a fault in a proto file is reported with file and line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-proto-'));
  await writeFile(join(folder, 'x.proto'), 'syntax = "proto3";\npackage x;\nmessage X {\n  strin a = 1;\n}\n');
  await expect(compileProtos(folder)).rejects.toThrow(/x\.proto:4:3:.*strin/);
  await rm(folder, { recursive: true });
});

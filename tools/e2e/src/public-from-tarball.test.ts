import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Installation, installIsolated, must, pack, runProgram, workspace } from '@hubwatch/bench/consumers';
import { generatePackage } from '@hubwatch/codegen';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The tarballs as installed by a user without a clone and without a proto compiler. */
let installation: Installation;
let folder: string;

beforeAll(async () => {
  const packed = await pack(['types', 'codegen']);
  try {
    installation = await installIsolated(packed, { packages: ['codegen', 'types'], omit: ['@bufbuild/buf'] });
  } finally {
    packed.remove();
  }
  folder = mkdtempSync(join(tmpdir(), 'hubwatch-from-tarball-'));
}, 120_000);
afterAll(() => {
  installation.remove();
  rmSync(folder, { recursive: true });
});

const codegen = (cwd: string, ...args: string[]) => runProgram(installation.bin('hubwatch-codegen'), args, cwd);

function contents(of: string): Map<string, string> {
  const entries = readdirSync(of, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(of.length + 1));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(of, path), 'utf8')]));
}

test("packed codegen: creates the package with public names in an empty folder, identical to the repository's", async () => {
  const ran = await codegen(folder, 'generate', '--profile', 'public', '--out', 'made');
  expect(ran.text).toMatch(/^made: @hubwatch\/types-public \d+\.\d+\.\d+, \d+ files\./);
  expect(ran.code).toBe(0);
  const own = join(folder, 'own');
  await generatePackage({ root: workspace, profile: 'public', out: own });
  expect([...contents(join(folder, 'made')).keys()]).toEqual([...contents(own).keys()]);
  expect(contents(join(folder, 'made'))).toEqual(contents(own));
});

test('packed codegen: the package compiles against the packed types, and decodes a record with public names', async () => {
  const made = join(folder, 'made');
  mkdirSync(join(made, 'node_modules/@hubwatch'), { recursive: true });
  symlinkSync(join(installation.folder, 'node_modules/@hubwatch/types'), join(made, 'node_modules/@hubwatch/types'));
  await must(process.execPath, [join(workspace, 'node_modules/@typescript/native/bin/tsc'), '-p', made], made);
  expect(existsSync(join(made, 'dist/index.js'))).toBe(true);
  const program = `
    import { queryNode } from './dist/gen/methods/sentinel/node/v3/query-service.js';
    import { fromJson } from './dist/runtime/json.js';
    const { node } = fromJson(queryNode.response, { node: { address: 'sentnode1x', status: 'active' } });
    console.log(queryNode.service, node.address, node.status);`;
  writeFileSync(join(made, 'read.mjs'), program);
  const ran = await runProgram(process.execPath, [join(made, 'read.mjs')], made);
  expect(ran.text).toBe('sentinel.node.v3.QueryService sentnode1x 1\n');
});

test('packed codegen: an existing project does not interfere, and an unknown profile is reported with the known ones', async () => {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'hubwatch-codegen.yml'), 'protos: proto\n');
  const ran = await codegen(project, 'generate', '--profile', 'public', '--out', 'made');
  expect(ran).toMatchObject({ code: 0 });
  const other = await codegen(folder, 'generate', '--profile', 'other', '--out', 'made');
  expect(other.text).toContain('--profile other: proto/spec holds the naming profile public, no other');
  expect(other.code).toBe(2);
  // Without a profile a project is required.
  expect(await codegen(folder, 'generate')).toMatchObject({
    code: 2,
    text: expect.stringContaining('hubwatch-codegen init'),
  });
});

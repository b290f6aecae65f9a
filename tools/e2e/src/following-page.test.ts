import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, workspace } from '@hubwatch/bench/consumers';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePrograms, withAddresses } from './readme-programs.js';

describe('docs/following.md', () => {
  let node: Devnode;
  // Next to this package, so that a program can resolve the packages that it imports.
  const folder = mkdtempSync(join(workspace, 'tools/e2e/.page-'));
  beforeAll(async () => {
    node = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: 902_400, shiftTo: 'none' });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await node.close();
  });

  it.each(pagePrograms('docs/following.md').map((program, index) => ({ ...program, index })))(
    '$title: its program prints the documented output',
    async ({ code, output, index }) => {
      const outfile = join(folder, `program-${index}.mjs`);
      await build({
        stdin: { contents: withAddresses(code, node), loader: 'ts', resolveDir: folder },
        bundle: true,
        format: 'esm',
        platform: 'node',
        conditions: ['@hubwatch/source'],
        external: ['ws'],
        outfile,
        logLevel: 'silent',
      });
      const { code: ended, text } = await runProgram(process.execPath, [outfile], folder);
      expect([ended, text]).toEqual([0, output]);
    },
  );
});

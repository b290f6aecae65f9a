import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Devnode, on, startDevnode } from '@hubwatch/devnode';
import { runProgram, workspace } from '@hubwatch/bench/consumers';
import { accountInfo } from '@hubwatch/types/gen/methods/stack/auth/v1beta1/query';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePrograms, withAddresses } from './readme-programs.js';

/** A new account that is absent from every recorded state. */
const account = on(accountInfo, ({ address }) => ({
  info: { address, pubKey: undefined, accountNumber: 11n, sequence: 77n },
}));

describe('docs/client.md', () => {
  let node: Devnode;
  // Next to this package, so that a program can resolve the packages that it imports.
  const folder = mkdtempSync(join(workspace, 'tools/e2e/.page-'));
  beforeAll(async () => {
    node = await startDevnode({
      mode: 'moving',
      chain: 'day',
      speed: 'manual',
      from: 902_400,
      shiftTo: 'none',
      answers: [account],
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await node.close();
  });

  it.each(pagePrograms('docs/client.md').map((program, index) => ({ ...program, index })))(
    '$title: its program prints the documented output',
    async ({ code, output, index }) => {
      const outfile = join(folder, `program-${index}.mjs`);
      await build({
        stdin: { contents: withAddresses(code, node), loader: 'ts', resolveDir: folder },
        bundle: true,
        format: 'esm',
        platform: 'node',
        conditions: ['@hubwatch/source'],
        external: ['@cosmjs/*', 'ws'],
        outfile,
        logLevel: 'silent',
      });
      // A block arrives while the program waits for it.
      const moving = setInterval(() => {
        if (node.received.size > 0) void node.advanceTo(node.position().height + 1);
      }, 50);
      try {
        expect(await runProgram(process.execPath, [outfile], folder)).toEqual({
          code: 0,
          text: withAddresses(output, node),
        });
      } finally {
        clearInterval(moving);
      }
    },
  );
});

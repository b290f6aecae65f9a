import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from './run-program.js';

const folder = mkdtempSync(join(tmpdir(), 'hubwatch-repository-'));
afterAll(() => rmSync(folder, { recursive: true }));
const places = ['.', ...readdirSync(join(workspace, 'packages')).map((name) => `packages/${name}`)];
for (const place of places) {
  mkdirSync(join(folder, place), { recursive: true });
  cpSync(join(workspace, place, 'package.json'), join(folder, place, 'package.json'));
}

const set = (...args: readonly string[]) =>
  runProgram(process.execPath, [join(workspace, 'tools/scripts/set-repository.mjs'), ...args], folder);
const manifests = () =>
  places.map((place) => JSON.parse(readFileSync(join(folder, place, 'package.json'), 'utf8')) as object);

test('set-repository: writes one address to every package, with its folder, and changes nothing else', async () => {
  const before = manifests();
  for (const url of ['https://git.example.org/old/name', 'https://git.example.org/owner/hubwatch'])
    expect(await set(url)).toMatchObject({ code: 0 });
  for (const [index, place] of places.entries()) {
    const directory = place === '.' ? {} : { directory: place };
    expect(manifests()[index]).toEqual({
      ...before[index],
      repository: { type: 'git', url: 'git+https://git.example.org/owner/hubwatch.git', ...directory },
      homepage: 'https://git.example.org/owner/hubwatch#readme',
      bugs: 'https://git.example.org/owner/hubwatch/issues',
    });
  }
});

test.each([[], ['git@git.example.org:owner/hubwatch.git'], ['https://git.example.org'], ['https://x.org/a/b.git']])(
  'set-repository: %s is a usage error, and nothing is written',
  async (...args) => {
    const before = manifests();
    const { code, text } = await set(...args);
    expect([code, text]).toEqual([2, expect.stringContaining('usage: npm run set-repository -- URL')]);
    expect(manifests()).toEqual(before);
  },
);

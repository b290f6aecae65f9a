import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from './run-program.js';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = join(root, 'tools/e2e/fixtures');
const sourceMode = ['--import', 'tsx', '-C', '@hubwatch/source'];

describe('a new part of the daemon requires one file and one line', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'hubwatch-toy-'));
    for (const entry of ['packages', 'tools', 'tsconfig.base.json', 'package.json']) {
      cpSync(join(root, entry), join(copy, entry), {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist|\.nx|\.reports)$/.test(path),
      });
    }
    linkPackages(copy);
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  test.each([
    ['check', 'checks', 'toy.ts'],
    ['notifier', 'notifiers', 'pager.ts'],
  ])('a new %s: the patch adds one file, and one line to the list', (kind, room, file) => {
    const patch = join(fixtures, `toy-${kind}.patch`);
    const stat = execFileSync('git', ['apply', '--numstat', patch], { cwd: copy, encoding: 'utf8' });
    const touched = stat
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    const folder = `packages/daemon/src/${room}`;
    expect(touched.map(([, , path]) => path).sort()).toEqual([`${folder}/${file}`, `${folder}/list.ts`].sort());
    expect(touched.find(([, , path]) => path === `${folder}/list.ts`)?.slice(0, 2)).toEqual(['1', '0']);
  });

  test('a new check: its metric, its interval and its alert are available', () => {
    execFileSync('git', ['apply', join(fixtures, 'toy-check.patch')], { cwd: copy });
    const text = execFileSync(process.execPath, [...sourceMode, join(copy, 'tools/e2e/fixtures/print-metrics.ts')], {
      cwd: copy,
      encoding: 'utf8',
    });
    expect(text).toMatch(/^# HELP hub_toy_answer /m);
    expect(text).toMatch(/^hub_toy_answer\{endpoint="own"\} 42$/m);
    expect(text).toMatch(/^hubwatch_poll_interval_seconds\{job="toy"\} 7$/m);
    expect(text).toContain('own: the answer is 42');
  });

  test('a new notifier: its keys are documented and checked, and it receives the test notice', async () => {
    execFileSync('git', ['apply', join(fixtures, 'toy-notifier.patch')], { cwd: copy });
    const received: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (part: string) => received.push(part));
      request.on('end', () => response.end());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pages`;
    const config = (pager: object): string => {
      const file = join(copy, 'pager.yml');
      const endpoints = [{ name: 'own', role: 'own', rpc: 'http://127.0.0.1:1' }];
      writeFileSync(file, JSON.stringify({ endpoints, notifiers: { pager } }));
      return file;
    };
    const hubwatch = (...args: readonly string[]) =>
      runProgram(process.execPath, [...sourceMode, join(copy, 'packages/daemon/src/main.ts'), ...args], copy);
    try {
      const sent = await hubwatch('test-notify', '--config', config({ url }));
      expect(sent).toEqual({ code: 0, text: 'pager: accepted\n' });
      expect(received.join('')).toContain('a test notice');
      const refused = await hubwatch('check-config', config({ uri: url }));
      expect(refused.code).toBe(3);
      expect(refused.text).toContain('unknown key `uri`; did you mean `url`?');
      const page = await runProgram(
        process.execPath,
        [
          ...sourceMode,
          '--input-type=module',
          '--eval',
          `import { configPage } from ${JSON.stringify(join(copy, 'tools/e2e/src/config-page.ts'))}; console.log(configPage(''));`,
        ],
        copy,
      );
      expect(page.text).toContain('URL of the pager, to which the text of each notice is posted.');
    } finally {
      server.close();
    }
  });
});

/** Links third-party packages from this tree, and our own packages from the copy. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@hubwatch'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@hubwatch' && !name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of ['types', 'client', 'daemon'])
    symlinkSync(join(folder, 'packages', name), join(modules, '@hubwatch', name));
  for (const name of ['devnode', 'proofs']) symlinkSync(join(folder, 'tools', name), join(modules, '@hubwatch', name));
  // Packages whose versions differ from those at the root.
  const own = 'packages/daemon/node_modules';
  if (existsSync(join(root, own))) symlinkSync(join(root, own), join(folder, own));
}

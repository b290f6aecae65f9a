import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const patch = join(root, 'tools/e2e/fixtures/toy-check.patch');

describe('a check is one file and one line', () => {
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

  it('toy check: the patch adds one file, and one line to the list', () => {
    const stat = execFileSync('git', ['apply', '--numstat', patch], { cwd: copy, encoding: 'utf8' });
    const touched = stat
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(touched.map(([, , file]) => file)).toEqual([
      'packages/daemon/src/checks/list.ts',
      'packages/daemon/src/checks/toy.ts',
    ]);
    expect(touched[0]?.slice(0, 2)).toEqual(['1', '0']);
  });

  it('toy check: applied to a copy of the tree, its metric is on the page', () => {
    execFileSync('git', ['apply', patch], { cwd: copy });
    const page = execFileSync(
      process.execPath,
      ['--import', 'tsx', '-C', '@hubwatch/source', join(copy, 'tools/e2e/fixtures/print-metrics.ts')],
      {
        cwd: copy,
        encoding: 'utf8',
      },
    );
    expect(page).toMatch(/^# HELP hub_toy_answer /m);
    expect(page).toMatch(/^hub_toy_answer\{endpoint="own"\} 42$/m);
  });
});

/** Foreign packages come from this tree, our own ones from the copy. */
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
}

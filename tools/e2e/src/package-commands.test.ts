import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, workspace } from '@hubwatch/bench/consumers';
import { commandTree } from '@hubwatch/daemon/declarations';
import { bashCompletion, fishCompletion, launcher, manPage, zshCompletion } from '@hubwatch/package';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProgram, programHint } from './programs.js';

const folder = mkdtempSync(join(tmpdir(), 'hubwatch-commands-'));
const program = commandTree();
beforeAll(() => {
  writeFileSync(join(folder, 'one.yml'), '');
  writeFileSync(join(folder, 'hubwatch.bash'), bashCompletion(program));
  writeFileSync(join(folder, 'hubwatch.fish'), fishCompletion(program));
  mkdirSync(join(folder, 'zsh'));
  writeFileSync(join(folder, 'zsh/_hubwatch'), zshCompletion(program));
  writeFileSync(join(folder, 'hubwatch.1'), manPage(program, { version: '0.1.0', epoch: 1_700_000_000 }));
  writeFileSync(join(folder, 'launcher.sh'), launcher);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const lacks = (name: string): boolean => findProgram(name) === undefined;

/** Command lines, and the only completion of their last word. */
const typed = [
  ['hubwatch led', 'ledger'],
  ['hubwatch check-c', 'check-config'],
  ['hubwatch silence li', 'list'],
  ['hubwatch ledger --fo', '--format'],
  ['hubwatch ledger --format cs', 'csv'],
  ['hubwatch ledger backfill --lim', '--limit'],
  ['hubwatch silence add --rul', '--rule'],
  ['hubwatch run --config on', 'one.yml'],
  ['hubwatch check-config on', 'one.yml'],
] as const;

test.each(typed)('bash completion: %s', async (text, word) => {
  const script = `source ./hubwatch.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_hubwatch
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const words = text.split(' ');
  expect(await runProgram('bash', ['--norc', '-c', script, 'bash', ...words], folder)).toEqual({
    code: 0,
    text: `${word}\n`,
  });
});

test.skipIf(lacks('fish')).each(typed)(`fish completion: %s ${programHint('fish')}`, async (text, word) => {
  const script = `source hubwatch.fish; complete -C '${text}'`;
  const { code, text: printed } = await runProgram('fish', ['--no-config', '-c', script], folder);
  // A tab separates the description.
  expect([
    code,
    printed
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]),
  ]).toEqual([0, [word]]);
});

test.skipIf(lacks('zsh')).each(typed)(`zsh completion: %s ${programHint('zsh')}`, async (text, word) => {
  const script = join(workspace, 'tools/e2e/fixtures/complete.zsh');
  const { code, text: printed } = await runProgram('zsh', ['-f', script, join(folder, 'zsh'), text], folder);
  expect([code, printed.trim()]).toEqual([0, text.replace(/\S+$/, word)]);
});

test.skipIf(lacks('man'))(`man page: man shows every command without a warning ${programHint('man')}`, async () => {
  const options = ['MANWIDTH=200', 'LC_ALL=C.UTF-8', 'man', '--warnings', '--local-file', join(folder, 'hubwatch.1')];
  const { code, text } = await runProgram('env', options, folder);
  expect(code).toBe(0);
  expect(text).not.toMatch(/warning:/);
  expect(text).toMatch(/^ +hubwatch - monitors hub v12 endpoints, nodes, leases and sessions$/m);
  expect(text).toMatch(/^ +-c, --config FILE$/m);
  const shown = [...text.matchAll(/^ {3}hubwatch ([a-z -]+?) (?=[[<])/gm)].map(([, words]) => words);
  const declared = program.commands.flatMap(({ name, commands }) => [
    name,
    ...commands.map((member) => `${name} ${member.name}`),
  ]);
  expect(shown).toEqual(declared);
});

test.skipIf(lacks('shellcheck'))(`package scripts: shellcheck accepts them ${programHint('shellcheck')}`, async () => {
  const scripts = readdirSync(join(workspace, 'deploy/debian')).map((name) => join(workspace, 'deploy/debian', name));
  expect(scripts).toHaveLength(3);
  const checked = await runProgram('shellcheck', [...scripts, join(folder, 'launcher.sh')], folder);
  expect(checked).toEqual({ code: 0, text: '' });
  const completion = await runProgram('shellcheck', ['--shell=bash', join(folder, 'hubwatch.bash')], folder);
  expect(completion).toEqual({ code: 0, text: '' });
});

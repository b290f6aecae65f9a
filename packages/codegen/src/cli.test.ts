import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot, repositoryRoot } from '../test/copied-root.js';
import { codegenHelp, runCli } from './cli.js';
import { commands } from './commands/index.js';
import { configName } from './project/project.js';

async function run(args: string[], cwd = repositoryRoot): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCli(args, cwd, { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

test('cli: help names every command and option', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of [
    'generate',
    'pull <ENDPOINT>',
    'drift [options] <ENDPOINT>',
    '--json',
    '--quiet',
    '--root',
    '--help',
    '--config',
    '--descriptors',
    '  70 ',
  ])
    expect(out).toContain(word);
});

test.each([
  [[], 'a command is missing; commands are init, generate'],
  [['generat'], 'unknown command "generat"; did you mean generate? Commands are init, generate'],
  [['pull'], 'missing required argument "ENDPOINT"'],
  [['pull', 'a:1', '--check'], 'unknown option "--check"'],
  [['drift', 'a:1', '--rest', 'http://a:2'], '--rest goes with --calls'],
  [['drift', 'a:1', '--calls', '--rest', 'a:2'], 'give an address such as http://127.0.0.1:1317'],
  [['generate', 'all'], 'too many arguments for "generate"'],
  [['generate', '--lock', '--check'], 'option "--check" cannot be used with option "--lock"'],
  [['generate', '--profile', 'x', '--check'], 'option "--profile <NAME>" cannot be used with option "--check"'],
  [['generate', '--root', '.', '--config', 'x'], 'option "--root <DIR>" cannot be used with option "--config <FILE>"'],
  [['generate', '--spec', '--check'], 'option "--spec <DIR>" argument "--check" is invalid. A value is missing.'],
  [['help', 'generat'], 'a command is missing; commands are init'],
  [['generate', '--chek'], 'unknown option "--chek"; did you mean --check?'],
  [['generate', '--spec'], 'option "--spec <DIR>" argument missing'],
  [
    ['generate', '--protos', 'a', '--descriptors', 'b'],
    'option "--protos <DIRS>" cannot be used with option "--descriptors <FILE>"',
  ],
  [['generate', '--emitters', 'form'], 'there is no emitter form; did you mean "forms"?'],
])('cli: wrong usage %j has exit code 2 and a message with the allowed values', async (args, text) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toContain(text);
});

test('cli: each command has its own help, with a text for every option and argument', async () => {
  const all = codegenHelp();
  expect(all.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  for (const { name, help } of all) {
    expect(await run([name, '--help'])).toMatchObject({ code: 0, out: help });
    expect(help).toContain(`Usage: hubwatch-codegen ${name}`);
    expect(help).toContain('  70  internal error');
    for (const [line, text] of help.matchAll(/^ {2}(?:-|[A-Z]).*?(?: {2,}(.*))?$/gm)) expect(text, line).toMatch(/\S/);
  }
  expect((await run(['--help'])).out).toContain('an optional dependency of 130 MB');
});

test('cli: --version prints the version of the package', async () => {
  expect(await run(['--version'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^hubwatch-codegen \d+\.\d+\.\d+\n$/),
  });
});

test('cli: a folder without protos is refused, and the message names it', async () => {
  const { code, err } = await run(['generate'], tmpdir());
  expect(code).toBe(2);
  expect(err).toContain('make one with hubwatch-codegen init');
  expect((await run(['generate', '--root', '/nowhere'])).err).toContain('/nowhere: there is no such folder');
});

describe('cli: generate --check', () => {
  let copy: CopiedRoot;
  beforeAll(() => {
    copy = copyRoot();
  });
  afterAll(() => copy.remove());
  const check = () => run(['generate', '--check'], copy.root);

  test('cli: the committed files are up to date, regardless of working folder, locale and time zone', () => {
    const tsx = join(repositoryRoot, 'node_modules/tsx/dist/esm/index.mjs');
    const main = join(import.meta.dirname, 'main.ts');
    const env = { PATH: process.env['PATH'], LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR', TZ: 'Asia/Kathmandu' };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', tsx, main, 'generate', '--check', '--root', copy.root],
      { cwd: '/', encoding: 'utf8', env },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/up to date; \d+ files from 202 protos, 41 services, 236 methods/);
    expect(status).toBe(0);
  });

  test('cli: check passes from a folder below the root', async () => {
    const { code, out, err } = await run(['generate', '--check'], join(copy.root, 'proto/spec'));
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('up to date');
  });

  test('cli: one changed byte of a generated file is reported with file and line, although a stamp exists', async () => {
    const path = 'packages/types/src/gen/forms/hub/node/v3/node.ts';
    expect(await copy.read('node_modules/.cache/hubwatch-codegen/stamp.json')).toContain('outputs');
    await copy.withEdit(
      path,
      (text) => text.replace('status_at timestamp!', 'status_as timestamp!'),
      async () => {
        const { code, out, err } = await check();
        expect(code).toBe(1);
        expect(out).toBe('');
        expect(err).toMatch(
          new RegExp(`^${path}: line \\d+ differs\\n    - .*status_as.*\\n    \\+ .*status_at.*\\n1 of \\d+ files`),
        );
        expect(err).toContain('npm run generate');
        expect(await copy.read(path)).toContain('status_as timestamp!');
      },
    );
    expect(await check()).toMatchObject({ code: 0, err: '' });
  });
});

describe('cli: common behaviour of all commands', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-cli-'));
    const { code, out, err } = await run(['init', '--json'], folder);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      command: 'init',
      ok: true,
      written: expect.arrayContaining([configName]) as string[],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [['generate'], 0, { services: 1, methods: 1 }],
    [['generate', '--check'], 0, { differences: [] }],
    [['openapi', '--out', 'api.json'], 0, { paths: 0 }],
    [['docs', '--out', 'reference'], 0, { pages: expect.arrayContaining(['methods.md']) as string[] }],
    [['breaking', '--against', '.'], 0, { bump: 'none', changes: [] }],
    [['generate', '--check', '--output', 'other'], 1, { differences: expect.any(Array) as unknown[] }],
    [['drift', '127.0.0.1:1'], 3, { error: { kind: 'unreachable' } }],
    [['pull', '127.0.0.1:1'], 3, { error: { kind: 'unreachable' } }],
    [['drift', 'nowhere'], 2, { error: { kind: 'input' } }],
    [['breaking'], 2, { error: { kind: 'usage' } }],
    [['docs'], 2, { error: { kind: 'usage' } }],
    [['generate', '--spec', 'nope'], 2, { error: { kind: 'input' } }],
    [['init'], 2, { error: { kind: 'input' } }],
  ])('cli: %j --json is one document, exit code %i', async (args, code, members) => {
    const ran = await run([...args, '--json'], folder);
    expect(ran.out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(ran.out)).toMatchObject({ command: args[0], ok: code === 0, ...members });
    expect(ran.code, ran.err).toBe(code);
    expect(ran.err).not.toMatch(/^\s+at /m);
  });

  test('cli: an internal error is one line with exit code 70; --debug prints the stack', async () => {
    const broken = async (...args: string[]) => {
      let err = '';
      const out = (): never => {
        throw new Error('no paper\nin the printer');
      };
      return { code: await runCli(args, folder, { out, err: (text) => (err += text) }), err };
    };
    expect(await broken('--help')).toEqual({
      code: 70,
      err: 'hubwatch-codegen: internal error: no paper. Run again with --debug to see where.\n',
    });
    const { code, err } = await broken('--help', '--debug');
    expect(code).toBe(70);
    expect(err).toMatch(/^\s+at .*cli\.test/m);
  });

  test('cli: progress is shown only on a terminal, and not with --quiet', async () => {
    const told = async (isTerminal: boolean, ...more: string[]): Promise<string> => {
      let err = '';
      const streams = { out: () => undefined, err: (text: string) => void (err += text), isTerminal };
      await runCli(['breaking', '--against', '.', ...more], folder, streams);
      return err;
    };
    expect(await told(true)).toBe('reading . …\n');
    expect(await told(false)).toBe('');
    expect(await told(true, '--quiet')).toBe('');
  });
});

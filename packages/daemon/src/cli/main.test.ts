import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { lockStore } from '../store/lock.js';
import { version } from '../version.js';
import { main } from './main.js';

const run = async (...args: string[]): Promise<{ code: number; out: string; error: string }> => {
  let out = '';
  let error = '';
  const code = await main(args, { out: (text) => (out += text), error: (text) => (error += text) });
  return { code, out, error };
};

const configFile = (text: string): string => {
  const file = join(temporaryFolder(), 'hubwatch.yml');
  writeFileSync(file, text);
  return file;
};

const minimal = 'endpoints: [{name: own, grpc: "127.0.0.1:1"}]\n';

test('cli: help and version', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('hubwatch run --config FILE') });
  expect(await run('version')).toMatchObject({ code: 0, out: `hubwatch ${version}\n` });
});

test.each<[string, string[], string]>([
  ['no command', [], 'a command is missing; allowed: run, check-config, version'],
  ['an unknown command', ['rum'], 'unknown command "rum"; allowed: run, check-config, version'],
  ['an unknown option', ['run', '--confg', 'x'], '--confg'],
  ['run without a file', ['run'], 'run needs --config FILE'],
  ['run with the file as argument', ['run', 'x.yml', '--config', 'y.yml'], 'the file goes to --config'],
  ['check-config without a file', ['check-config'], 'check-config needs one FILE'],
])('cli: %s is a wrong use: exit code 2, with the usage', async (_case, args, message) => {
  const { code, error } = await run(...args);
  expect(code).toBe(2);
  expect(error).toContain(message);
  expect(error).toContain('usage: hubwatch COMMAND');
});

test('cli: check-config says ok, or every problem with its place and exit code 3', async () => {
  const good = configFile(minimal);
  expect(await run('check-config', good)).toMatchObject({
    code: 0,
    out: `${good}: ok. Endpoints: 1, nodes: 0, providers: 0, notices: none\n`,
  });
  const bad = configFile(`${minimal}alerts: {rules: {HubEndpointDow: {}}}\nwatch: []\n`);
  const refused = await run('check-config', bad);
  expect(refused.code).toBe(3);
  expect(refused.error).toContain(`${bad}:3:8: watch: expected a block of keys, not a list`);
  expect(refused.error).toContain('did you mean `HubEndpointDown`?');
  expect((await run('run', '--config', join(temporaryFolder(), 'absent.yml'))).code).toBe(3);
});

test('cli: a start that fails says which key is at fault in one sentence, exit code 1, and leaves nothing open', async () => {
  const absent = configFile(`${minimal}store: {path: /absent/folder/x.db}\n`);
  const refused = await run('run', '--config', absent);
  expect(refused.code).toBe(1);
  expect(refused.error).toMatch(/^hubwatch: store\.path: \/absent\/folder\/x\.db cannot be used: .*\n$/);

  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  const path = join(temporaryFolder(), 'x.db');
  const taken = configFile(`${minimal}store: {path: ${path}}\nweb: {listen: "127.0.0.1:${port}"}\n`);
  expect(await run('run', '--config', taken)).toEqual({
    code: 1,
    out: '',
    error: `hubwatch: web.listen: 127.0.0.1:${port} is in use by another program; stop that one, or set another port\n`,
  });
  // The store is free again.
  lockStore(path)();
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'cli: %s ends a running daemon within two seconds, exit code 0, and systemd is told',
  async (signal) => {
    const folder = temporaryFolder();
    const told = join(folder, 'told');
    writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${told}\n`);
    chmodSync(join(folder, 'systemd-notify'), 0o755);
    const file = configFile(
      `${minimal}web: {listen: "127.0.0.1:0"}\nstore: {path: ${join(folder, 'x.db')}}\nlog: {level: silent}\n`,
    );
    const child = spawn(
      process.execPath,
      [
        '--conditions=@hubwatch/source',
        '--import',
        'tsx',
        join(import.meta.dirname, '../main.ts'),
        'run',
        '--config',
        file,
      ],
      {
        env: { ...process.env, PATH: `${folder}:${process.env['PATH']}`, NOTIFY_SOCKET: '/absent' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let out = '';
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      out += chunk.toString();
      if (out.includes('\n')) break;
    }
    const [, address = ''] = /status page (\S+)\/ /.exec(out) ?? [];
    expect((await fetch(`${address}/-/healthy`)).status).toBe(200);
    const asked = performance.now();
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(2_000);
    expect(existsSync(told) ? readFileSync(told, 'utf8').split('\n') : []).toEqual(
      expect.arrayContaining(['--no-block READY=1']),
    );
  },
  30_000,
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMailServer } from '../../test/mail-server.js';
import { nodeAddress, temporaryFolder } from '../../test/parts.js';
import { lockStore } from '../store/lock.js';
import { migrations } from '../store/migrations.js';
import { openStore } from '../store/store.js';
import { version } from '../version.js';
import { commandHelp } from './commands.js';
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
  expect(await run('--help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Usage: hubwatch \[options\] \[command\]\n[^]*^ {2}run \[options\] +run the daemon$/m,
    ) as string,
  });
  expect(await run('--version')).toMatchObject({ code: 0, out: `hubwatch ${version}\n` });
  expect(await run('version')).toMatchObject({ code: 0, out: `hubwatch ${version}\n` });
});

test.each<[string, string[], string | RegExp]>([
  [
    'no command',
    [],
    'a command is missing; allowed: run, check, probe, doctor, ledger, check-config, test-notify, export-rules, silence, backup, restore, check-store, version',
  ],
  [
    'an unknown command',
    ['rum'],
    'unknown command "rum"; did you mean run? Allowed: run, check, probe, doctor, ledger, check-config, test-notify, export-rules, silence, backup, restore, check-store, version',
  ],
  ['an unknown option', ['run', '--confg', 'x'], 'unknown option "--confg"; did you mean --config?'],
  ['an option of another command', ['run', '--config', 'x', '--entries'], 'unknown option "--entries"'],
  [
    'an option without its value',
    ['run', '--config', '--json'],
    'option "-c, --config <FILE>" argument "--json" is invalid. A value is missing.',
  ],
  ['a flag with a value', ['doctor', 'x', '--json=yes'], 'unknown option "--json"'],
  ['an option of half a command', ['ledger', 'backfill', '--by', 'day'], 'unknown option "--by"'],
  ['version with a word', ['version', 'x'], 'too many arguments for "version"'],
  ['test-notify with a word', ['test-notify', 'x'], 'too many arguments for "test-notify"'],
  ['silence without an action', ['silence'], 'silence: a command is missing; allowed: add, list, end'],
  ['run without a file', ['run'], 'run needs --config FILE'],
  ['run with the file as argument', ['run', 'x.yml', '--config', 'y.yml'], 'too many arguments for "run"'],
  ['ledger without a file', ['ledger'], 'ledger needs --config FILE'],
  ['ledger with an argument', ['ledger', 'x', '--config', 'y.yml'], 'too many arguments for "ledger"'],
  [
    'doctor without an endpoint',
    ['doctor'],
    'doctor needs an endpoint: its name with --config FILE, a host, or at least',
  ],
  [
    'probe over a transport that is none',
    ['probe', 'x', '--transport', 'ws'],
    'option "--transport <NAME>" argument "ws" is invalid. Allowed choices are grpc, rest, rpc.',
  ],
  [
    'probe over one that is not given',
    ['probe', '--rpc', 'http://x', '--transport', 'grpc'],
    '--transport: http://x has no grpc address; it has: rpc',
  ],
  ['doctor of two', ['doctor', 'a', 'b'], 'too many arguments for "doctor". Expected 1 argument but got 2.'],
  [
    'doctor of an address',
    ['doctor', 'http://x:1'],
    'http://x:1 is not a host; addresses with a scheme or a port go to --grpc',
  ],
  [
    'doctor of a host and an address',
    ['doctor', 'x', '--rpc', 'http://x'],
    'give a host or --grpc, --rest, --rpc, not both',
  ],
  ['a REST address without a scheme', ['doctor', '--rest', 'x:1317'], '--rest: expected an http:// or https:// URL'],
  [
    'a naming that is none',
    ['doctor', 'x', '--naming', 'y'],
    'option "--naming <NAME>" argument "y" is invalid. Allowed choices are auto, public, neutral.',
  ],
  ['a time-out that is too long', ['doctor', 'x', '--timeout', '2h'], '--timeout: must be 100ms to 1m (got "2h")'],
  [
    'a ledger in a form that does not exist',
    ['ledger', '--format', 'xml'],
    'option "--format <NAME>" argument "xml" is invalid. Allowed choices are text, csv, json.',
  ],
  ['an unknown option with a secret', ['doctor', '--rpcc=http://user:SECRET@h'], /^hubwatch: unknown option "--rpcc"$/],
  ['check-config without a file', ['check-config'], 'check-config needs one FILE'],
  ['restore without a backup', ['restore', '--config', 'x.yml'], 'missing required argument "FILE"'],
  ['check-store without a store', ['check-store'], 'check-store needs --config FILE, or the FILE of a backup'],
])('cli: %s is a usage error: exit code 2, and the usage of that command', async (_case, args, message) => {
  const { code, error } = await run(...args);
  expect(code).toBe(2);
  expect(error).toContain(`hubwatch: `);
  expect(error.split('\n')[0]).toMatch(message);
  const [word = ''] = args;
  if (!commandHelp().some(({ name }) => name === word)) expect(error).toContain('\n\nSee hubwatch --help.\n');
  else expect(error).toMatch(new RegExp(`\n\nusage: hubwatch ${word} .*\n\nSee hubwatch ${word}.* --help\\.\n`));
  expect(error.split('\n').length).toBeLessThan(14);
});

test('cli: every command has its own help, with a text for every option and argument, and its exit codes', async () => {
  const all = commandHelp();
  expect(all.map(({ name }) => name)).toEqual([
    'run',
    'check',
    'probe',
    'doctor',
    'ledger',
    'ledger backfill',
    'check-config',
    'test-notify',
    'export-rules',
    'silence',
    'silence add',
    'silence list',
    'silence end',
    'backup',
    'restore',
    'check-store',
    'version',
  ]);
  for (const { name, help } of all) {
    expect(await run(...name.split(' '), '--help')).toMatchObject({ code: 0, out: help });
    expect(help).toMatch(new RegExp(`^Usage: hubwatch ${name}\\b`));
    for (const [line, text] of help.matchAll(/^ {2}(?:-|[A-Z]).*?(?: {2,}(.*))?$/gm)) expect(text, line).toMatch(/\S/);
    for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(110);
  }
  expect((await run('help', 'check')).out).toBe(all[1]?.help);
  expect((await run('--help')).out).toContain('3 the configuration cannot be used');
  expect((await run('run', '--help')).out).toContain('3 the configuration cannot be used');
});

test('cli: check-config prints ok, or every problem with its place and exit code 3', async () => {
  const good = configFile(minimal);
  expect(await run('check-config', good)).toMatchObject({
    code: 0,
    out: `${good}: ok. Endpoints: 1, nodes: 0, providers: 0, accounts: 0, notices: none\n`,
  });
  const bad = configFile(`${minimal}alerts: {rules: {HubEndpointDow: {}}}\nwatch: []\n`);
  const refused = await run('check-config', bad);
  expect(refused.code).toBe(3);
  expect(refused.error).toContain(`${bad}:3:8: watch: expected a mapping (got a list)`);
  expect(refused.error).toContain('did you mean `HubEndpointDown`?');
  const absent = join(temporaryFolder(), 'absent.yml');
  expect(await run('run', '--config', absent)).toMatchObject({
    code: 3,
    error: `${absent}: there is no such file; deploy/hubwatch.example.yml is one to begin with\n`,
  });
  const folder = temporaryFolder();
  expect((await run('check-config', folder)).error).toBe(`${folder}: is a folder; expected a YAML file\n`);
});

test('cli: a failed start names the faulty key in one sentence, exits with code 1, and leaves nothing open', async () => {
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
  // The store lock is released.
  (await lockStore(path))();
});

test('cli: silences are added, listed and ended while the daemon runs', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'x.db');
  const file = configFile(
    `${minimal}store: {path: ${path}}\nwatch: {nodes: [{address: ${nodeAddress}, alias: five}]}\n`,
  );
  const silence = (...args: string[]) => run('silence', ...args, '--config', file);
  expect(await silence('list')).toMatchObject({ code: 1, error: expect.stringContaining('does not exist') });
  const unlock = await lockStore(path);
  openStore(path).close();
  expect(await silence('list')).toMatchObject({ code: 0, out: 'no silences\n' });
  const added = await silence(
    'add',
    '--for',
    '2h',
    '--rule',
    'HubNodeInactive',
    '--subject',
    'five',
    '--comment',
    'move',
  );
  expect(added.out).toMatch(
    /^silenced until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(2 h left\) {2}\w{8} {2}HubNodeInactive, sentnode1\w+: move\n$/,
  );
  const id = / {2}(\w{8}) {2}/.exec(added.out)?.[1] ?? '';
  expect((await silence('list')).out).toContain(id);
  expect((await silence('end', id)).out).toBe(`ended ${id}\n`);
  expect(await silence('end', id)).toMatchObject({ code: 1, error: expect.stringContaining('there is no silence') });
  unlock();
});

test('cli: the store is backed up, checked and restored, with what was done and where the old one is', async () => {
  const folder = temporaryFolder();
  const [path, out] = [join(folder, 'x.db'), join(folder, 'y.db')];
  const file = configFile(`${minimal}store: {path: ${path}}\n`);
  const store = (...args: string[]) => run(...args, '--config', file);
  expect(await store('backup', '--out', out)).toMatchObject({ code: 1, error: expect.stringContaining('not exist') });
  openStore(path).close();
  const version = String(migrations.length);
  expect(await store('backup')).toMatchObject({ code: 2, error: expect.stringContaining('backup needs --out FILE') });
  const made = `${out}: \\d+ kB, schema version ${version}, checked\n`;
  expect(await store('backup', '--out', out)).toMatchObject({ code: 0, out: expect.stringMatching(made) });
  expect(await store('backup', '--out', out)).toMatchObject({ code: 1, error: expect.stringContaining('--force') });
  expect(await store('backup', '--out', out, '--force')).toMatchObject({ code: 0 });

  expect((await run('check-store', out)).out).toMatch(
    new RegExp(`^${out}: ok\nschema version {2}${version}\nchain {11}none yet\nsize .*\n\ntable +rows +size\n`),
  );
  const report = JSON.parse((await store('check-store', '--json')).out) as Record<string, unknown>;
  expect(report).toMatchObject({ path, ok: true, schema_version: migrations.length, faults: [] });
  const fresh = join(folder, 'fresh.db');
  const other = configFile(`${minimal}store: {path: ${fresh}}\n`);
  expect(await run('restore', out, '--config', other)).toMatchObject({
    code: 0,
    out: expect.stringMatching(`^${fresh}: restored from ${out}, .* version ${version}\nThere was no store before.\n$`),
  });
  writeFileSync(out, 'noise');
  expect(await run('check-store', out)).toMatchObject({ code: 1, out: expect.stringContaining(`${out}: not ok\n`) });
  const refused = await store('restore', out);
  expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining(`${out}: not restored: `) });
});

test.each<[string, string[], string]>([
  ['no duration', ['add', '--rule', 'HubNodeInactive', '--comment', 'x'], '--for is required: a duration such as 30m'],
  ['a duration that is none', ['add', '--for', 'long', '--comment', 'x'], '--for: expected a duration'],
  ['a duration beyond its limit', ['add', '--for', '91d', '--comment', 'x'], '--for: must be 1m to 90d'],
  ['no comment', ['add', '--for', '1h', '--rule', 'HubNodeInactive'], '--comment is required'],
  ['nothing to silence', ['add', '--for', '1h', '--comment', 'x'], '--rule or --subject is required'],
  [
    'a rule that is none',
    ['add', '--for', '1h', '--comment', 'x', '--rule', 'HubNodeInactiv'],
    'did you mean HubNodeInactive?',
  ],
  [
    'a subject that is not watched',
    ['add', '--for', '1h', '--comment', 'x', '--subject', 'owm'],
    '--subject: nothing is watched under "owm"; did you mean own? Allowed: own, and addresses of',
  ],
  ['an end without an id', ['end'], 'missing required argument "ID"'],
])('cli: silence with %s is a usage error', async (_case, args, message) => {
  const { code, error } = await run('silence', ...args, '--config', configFile(minimal));
  expect(code).toBe(2);
  expect(error).toContain(message);
});

test('cli: test-notify reports for each recipient whether it was accepted, and the remedy if not', async () => {
  const server = await startMailServer();
  server.refuse = (stage, what) => (stage === 'RCPT TO' && what === 'b@y.z' ? '550 5.1.1 No such user' : undefined);
  const email = `{host: 127.0.0.1, port: ${server.port}, tls: none, from: w@x.y, to: [a@y.z, b@y.z]}`;
  const file = configFile(`${minimal}notifiers: {email: ${email}}\n`);
  const { code, out } = await run('test-notify', '--config', file);
  expect(code).toBe(1);
  expect(out.split('\n').toSorted()).toEqual([
    '',
    'email to a@y.z: accepted',
    expect.stringMatching(
      /^email to b@y\.z: it refuses the recipient \(recipient\): .*No such user.* Check the address/,
    ),
  ]);
  expect(server.mails[0]?.headers.get('subject')).toBe('[info] hubwatch: a test notice (Test)');
  server.refuse = () => undefined;
  expect((await run('test-notify', '--config', file)).code).toBe(0);
  expect((await run('test-notify', '--config', configFile(minimal))).out).toContain('no notices are sent');
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'cli: %s ends a running daemon within two seconds, exit code 0, and notifies systemd',
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
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(existsSync(told) ? readFileSync(told, 'utf8').split('\n') : []).toEqual(
      expect.arrayContaining(['--no-block READY=1']),
    );
  },
);

test.each([
  [['--from', 'x'], 2, '--from: "x"; allowed: a whole number from 1'],
  [['--from', '9', '--to', '8'], 2, '--to 8 is below --from 9'],
  [[], 1, 'no endpoint can be searched: none with a consensus RPC is configured'],
])('cli: ledger backfill %j', async (args, code, message) => {
  const file = configFile(`${minimal}store: {path: ${join(temporaryFolder(), 'none.db')}}\n`);
  const told = await run('ledger', 'backfill', '--config', file, ...args);
  expect(told.code).toBe(code);
  expect(told.error).toContain(message);
});

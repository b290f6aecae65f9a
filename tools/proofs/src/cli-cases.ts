import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, type CommandRan, type PackedPrograms, runProgram, workspace } from '@hubwatch/bench/consumers';
import type { Devnode } from '@hubwatch/devnode';

/** One run of a packed command: its input and its documented result. */
export interface CommandCase {
  readonly command: Command;
  readonly args: readonly string[];
  readonly code: number;
  readonly out: RegExp;
  readonly err: RegExp;
  /** Working directory below that of the world. */
  readonly cwd?: string;
}

/** Environment of the cases: configurations, a store created by the daemon, and a node. */
export interface CommandWorld {
  readonly folder: string;
  readonly node: Devnode;
}

const none = /^$/;
const some = /\S/;
/** Documentation links need the repository address, which is set before the first release. */
const noRepository = /^(?:warning: alerts have no runbook_url: .+\n)?$/;
/** A usage error: a sentence, then the usage lines of the command. */
const usage = /^hubwatch: .+\n\n(?:usage: .+\n\n)?See hubwatch .*--help/;

/** Writes the files that the cases refer to. */
export async function prepareCases({ folder, node }: CommandWorld): Promise<void> {
  const { grpc, rest, rpc, accounts, chainId } = node;
  const endpoint = { name: 'own', role: 'own', grpc, rest, rpc };
  const config = {
    network: { chain_id: chainId },
    endpoints: [endpoint],
    watch: { nodes: [{ address: accounts['node1'], alias: 'one' }] },
    web: { listen: '127.0.0.1:0' },
    store: { path: join(folder, 'kept.db') },
  };
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
  write('good.yml', config);
  write('empty-store.yml', { ...config, store: { path: join(folder, 'made-by-backfill.db') } });
  write('dead.yml', { ...config, endpoints: [{ name: 'own', rpc: 'http://127.0.0.1:9' }] });
  write('bad.yml', 'endpoints: [{name: own, rest: "htp://u:SECRETPASS99@h"}]\npol: {}\n');
  write('wide.yml', Buffer.from('endpoints: []', 'utf16le').toString('latin1'));
  write('headers', 'X-Key: abc\n');
  write('warned.yml', { ...config, endpoints: [{ ...endpoint, headers_file: join(folder, 'absent') }] });
  mkdirSync(join(folder, 'generated'), { recursive: true });
  const protos = join(folder, 'protos/example/v1');
  mkdirSync(protos, { recursive: true });
  writeFileSync(
    join(protos, 'example.proto'),
    `syntax = "proto3";
package example.v1;
message GetThingRequest { string name = 1; }
message GetThingResponse { uint64 weight = 1; }
service ExampleService { rpc GetThing(GetThingRequest) returns (GetThingResponse); }
`,
  );
  // The installation has no buf, as if the optional dependency was omitted.
  const buf = join(workspace, 'node_modules/.bin/buf');
  const { code, text } = await runProgram(buf, ['build', '-o', join(folder, 'api.binpb')], join(folder, 'protos'));
  if (code !== 0) throw new Error(`buf build ended with ${code}: ${text}`);
}

const hubwatch = (args: readonly string[], code: number, out: RegExp, err: RegExp = none): CommandCase => ({
  command: 'hubwatch',
  args,
  code,
  out,
  err,
});

const codegen = (args: readonly string[], code: number, out: RegExp, err: RegExp = none): CommandCase => ({
  command: 'hubwatch-codegen',
  args,
  code,
  out,
  err,
  cwd: 'generated',
});

/** Every command with every option in its help, ordered so that inputs exist before they are used. */
export function commandCases({ node }: CommandWorld): readonly CommandCase[] {
  const { grpc, rest, rpc, chainId } = node;
  const good = ['--config', 'good.yml'];
  const set = ['--descriptors', '../api.binpb'];
  const addresses = ['--grpc', grpc, '--rest', rest, '--rpc', rpc];
  return [
    hubwatch(['--version'], 0, /^hubwatch \d+\.\d+\.\d+\n$/),
    hubwatch(['version'], 0, /^hubwatch \d+\.\d+\.\d+\n$/),
    hubwatch(['--help'], 0, /^Usage: hubwatch \[options\] \[command\]\n/),
    hubwatch(['help', 'check'], 0, /^Usage: hubwatch check /),
    hubwatch([], 2, none, usage),
    hubwatch(['rum'], 2, none, /did you mean run\?/),
    hubwatch(['run'], 2, none, usage),
    hubwatch(['run', '--config', 'absent.yml'], 3, none, /^absent\.yml: there is no such file/),
    hubwatch(['run', '--config', 'bad.yml'], 3, none, /^bad\.yml:1:\d+: endpoints\[0\]\.rest: .+\nbad\.yml:2:1: /s),
    hubwatch(['check-config', 'good.yml'], 0, /^good\.yml: ok\. Endpoints: 1, nodes: 1, /),
    hubwatch(['check-config', '--config', 'good.yml'], 0, /^good\.yml: ok\. /),
    hubwatch(
      ['check-config', 'warned.yml'],
      0,
      /ok\. /,
      /^warning: warned\.yml:\d+:\d+: endpoints\[0\]\.headers_file: /,
    ),
    hubwatch(['check-config', 'bad.yml'], 3, none, /^bad\.yml:1:\d+: /),
    hubwatch(['check-config'], 2, none, usage),
    hubwatch(['ledger', ...good], 1, none, /does not exist/),
    hubwatch(
      ['ledger', 'backfill', '--config', 'empty-store.yml', '--limit', '3'],
      0,
      /Searched blocks|Nothing was searched/,
    ),
    hubwatch(
      ['ledger', 'backfill', ...good, '--from', String(902_350), '--to', String(902_390)],
      0,
      /Searched blocks 902350 to 902390: /,
    ),
    hubwatch(['ledger', 'backfill', '--config', 'dead.yml'], 1, none, /^hubwatch: no endpoint can be searched: /),
    hubwatch(['ledger', 'backfill', ...good, '--from', 'x'], 2, none, usage),
    hubwatch(['ledger', ...good], 0, /Read up to height/),
    hubwatch(
      ['ledger', ...good, '--by', 'day,kind', '--since', '2020-01-01', '--until', '0d', '--format', 'csv'],
      0,
      /^day,kind,/,
    ),
    hubwatch(['ledger', ...good, '--entries', '--format', 'json'], 0, /^\{/),
    hubwatch(['ledger', ...good, '--by', 'colour'], 2, none, /allowed: year, month/),
    hubwatch(['silence', 'list', ...good], 0, /^no silences\n$/),
    hubwatch(
      ['silence', 'add', ...good, '--for', '2h', '--rule', 'HubNodeInactive', '--subject', 'one', '--comment', 'x'],
      0,
      /^silenced until .* HubNodeInactive, sentnode1/,
    ),
    hubwatch(
      ['silence', 'add', ...good, '--for', '2h', '--subject', 'onee', '--comment', 'x'],
      2,
      none,
      /did you mean one\?/,
    ),
    hubwatch(
      ['silence', 'add', ...good, '--for', '2h', '--rule', 'HubNodeInactiv', '--comment', 'x'],
      2,
      none,
      /did you mean HubNodeInactive\?/,
    ),
    hubwatch(['silence', 'end', 'none', ...good], 1, none, /there is no silence "none"/),
    hubwatch(['export-rules'], 0, /^# Alerts and recordings [^]*\ngroups:\n/, noRepository),
    hubwatch(
      ['export-rules', ...good, '--docs', 'https://docs.example.org', '--file', 'alertmanager.yml'],
      0,
      /^# Example of an Alertmanager configuration/,
    ),
    hubwatch(['export-rules', ...good, '--out', 'prometheus'], 0, /^wrote prometheus.rules\.yml\n/, noRepository),
    hubwatch(['export-rules', '--config', 'bad.yml'], 3, none, /^bad\.yml:1:\d+: /),
    hubwatch(['backup', ...good, '--out', 'backup.db'], 0, /^backup\.db: \S+ kB, schema version \d+, checked\n$/),
    hubwatch(['backup', ...good, '--out', 'backup.db'], 1, none, /backup\.db exists; give another name, or --force/),
    hubwatch(['backup', ...good, '--out', 'backup.db', '--force'], 0, /^backup\.db: /),
    hubwatch(['check-store', 'backup.db'], 0, /^\S*backup\.db: ok\nschema version/),
    hubwatch(['check-store', ...good, '--json'], 0, /^\{\n {2}"path"/),
    hubwatch(['check-store', 'good.yml'], 1, /^\S*good\.yml: not ok\n/),
    hubwatch(
      ['restore', 'backup.db', ...good],
      0,
      /^\S*kept\.db: restored from backup\.db, .*\nThe replaced store is /,
    ),
    hubwatch(['restore', 'good.yml', ...good], 1, none, /good\.yml: not restored: /),
    hubwatch(['test-notify', ...good], 1, /no notifier is configured/),
    hubwatch(['probe', ...addresses, '--naming', 'auto', '--timeout', '30s'], 0, /^grpc up .*\nrest up .*\nrpc {2}up /),
    hubwatch(['probe', 'own', ...good, '--transport', 'rpc'], 0, /^rpc {2}up .*chain=/),
    hubwatch(['probe', '--rpc', 'http://127.0.0.1:9'], 1, /^rpc {2}down reason=/),
    hubwatch(['probe', '--rpc', 'http://u:SECRETPASS99@127.0.0.1:9'], 2, none, /user or password/),
    hubwatch(
      ['doctor', ...addresses, '--chain-id', chainId, '--naming', 'auto', '--timeout', '30s', '--json'],
      1,
      /^\{/,
    ),
    hubwatch(['doctor', 'own', ...good, '--timeout', '30s'], 1, some),
    hubwatch(['doctor', '--rpc', 'http://127.0.0.1:9'], 2, some),
    hubwatch(['check', ...good, '--rule', 'HubEndpointDown', '--timeout', '1m', '--verbose'], 0, /^HUBWATCH OK - /),
    hubwatch(['check', ...good, 'own', '-v', '--rule', 'HubOwnNodeDown'], 0, /^HUBWATCH OK - /),
    hubwatch(['check', '--config', 'dead.yml', '--rule', 'HubAllEndpointsDown'], 2, /^HUBWATCH CRITICAL - /),
    hubwatch(['check', '--config', 'dead.yml', '--rule', 'HubNodeInactive'], 3, /^HUBWATCH UNKNOWN - /),
    hubwatch(['check', '--config', 'bad.yml'], 3, /^HUBWATCH UNKNOWN - bad\.yml:1:/),
    hubwatch(['check', ...good, 'onee'], 3, /did you mean one\?/),

    codegen(['--version'], 0, /^hubwatch-codegen \d+\.\d+\.\d+\n$/),
    codegen(['--help'], 0, /^Usage: hubwatch-codegen \[options\] \[command\]/),
    codegen([], 2, none, /a command is missing/),
    codegen(['generat'], 2, none, /did you mean generate\?/),
    codegen(['init', '--root', '.'], 0, /^hubwatch-codegen\.yml\n/),
    codegen(['init', '--json'], 2, /^\{"command":"init","ok":false/, some),
    codegen(['generate'], 2, none, /buf|--descriptors/),
    // A pulled set is compiled before anything is written.
    codegen(['pull', grpc, '--quiet'], 2, none, /buf, which compiles proto files, is not installed/),
    codegen(['pull', '127.0.0.1:1', '--json'], 3, /"kind":"unreachable"/, some),
    codegen(['drift', '127.0.0.1:1', '--debug'], 3, none, some),
    codegen(['drift', grpc, '--calls', '--rest', 'nonsense'], 2, none, /give an address such as/),
    codegen(
      [...set, 'generate', '--emitters', 'forms', '--output', 'forms', '--runtime', './runtime'],
      0,
      / written; /,
    ),
    codegen([...set, 'generate'], 0, / written; /),
    codegen([...set, 'generate', '--check'], 0, /up to date/),
    codegen([...set, 'generate', '--check', '--output', 'elsewhere'], 1, none, /differ\. Run/),
    codegen([...set, 'generate', '--lock', '--check'], 2, none, /cannot be used with/),
    codegen([...set, 'generate', '--profile', 'public'], 2, none, /give both/),
    codegen([...set, 'generate', '--profile', 'none', '--out', 'package'], 2, none, some),
    codegen(['generate', '--watch', '--descriptors', '-'], 2, none, /--watch needs files/),
    codegen(['generate', '--protos', 'absent'], 2, none, some),
    codegen(['generate', '--spec', 'absent', '--config', 'hubwatch-codegen.yml'], 2, none, some),
    codegen(['generate', '--naming', 'absent.json'], 2, none, some),
    codegen([...set, 'breaking', '--against', '../api.binpb'], 0, /0 breaking/),
    codegen([...set, 'openapi', '--out', 'api.json'], 0, /^api\.json: \d+ paths\n$/),
    codegen([...set, 'docs', '--out', 'reference'], 0, /methods\.md/),
    codegen(['breaking'], 2, none, /option "--against <REF>" not specified/),
    codegen(['docs'], 2, none, /option "--out <DIR>" not specified/),
    codegen(['openapi', '--profile', 'none'], 2, none, some),
  ];
}

/** Returns the contradiction between a run and the documentation; `undefined` if there is none. */
export async function runCase(
  programs: PackedPrograms,
  { folder }: CommandWorld,
  { command, args, code, out, err, cwd = '.' }: CommandCase,
): Promise<string | undefined> {
  const ran = await programs.run(command, args, { cwd: join(folder, cwd) });
  const faults = [
    ran.code === code ? [] : [`exit code ${ran.code ?? ran.signal} instead of ${code}`],
    out.test(ran.out) ? [] : [`standard output is not ${out}`],
    err.test(ran.err) ? [] : [`standard error is not ${err}`],
    /^\s+at .+:\d+:\d+/m.test(ran.err) && !args.includes('--debug') ? ['a stack'] : [],
    /SECRETPASS99/.test(ran.out + ran.err) && !args.some((arg) => arg.includes('SECRETPASS99')) ? ['a secret'] : [],
  ].flat();
  return faults.length === 0 ? undefined : `${faults.join(', ')}:\n${shown(ran)}`;
}

const shown = ({ out, err }: CommandRan): string => `--- out\n${out.slice(0, 2_000)}\n--- err\n${err.slice(0, 2_000)}`;

/** Commands and options in the help that no case covers. */
export async function untested(programs: PackedPrograms, cases: readonly CommandCase[]): Promise<readonly string[]> {
  const missing: string[] = [];
  const look = (name: Command, commandWords: readonly string[], help: string): void => {
    const own = cases.filter(
      ({ command, args }) => command === name && commandWords.every((word) => args.includes(word)),
    );
    if (own.length === 0) missing.push(`${name} ${commandWords.join(' ')}`);
    for (const option of new Set(help.match(/--[a-z][a-z-]+/g)))
      if (!own.some(({ args }) => args.includes(option))) missing.push(`${name} ${commandWords.join(' ')} ${option}`);
  };
  const commandsIn = (help: string): readonly string[] =>
    [...(help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].flatMap(
      ([, name = '']) => (name === 'help' ? [] : [name]),
    );
  const lookAt = async (program: Command, words: readonly string[]): Promise<void> => {
    const help = (await programs.run(program, [...words, '--help'])).out;
    const members = commandsIn(help);
    // Help is an option of every command; a group has no other options.
    const options = help.split('\nGlobal Options:\n')[0]?.replaceAll('--help', '') ?? '';
    if (words.length > 0) look(program, words, options);
    for (const name of members) await lookAt(program, [...words, name]);
  };
  await lookAt('hubwatch', []);
  await lookAt('hubwatch-codegen', []);
  const common = (await programs.run('hubwatch-codegen', ['--help'])).out.split('\nOptions:\n')[1] ?? '';
  const given = new Set(cases.flatMap(({ command, args }) => (command === 'hubwatch-codegen' ? args : [])));
  for (const option of new Set(common.split('\n\n')[0]?.match(/--[a-z][a-z-]+/g)))
    if (!given.has(option)) missing.push(`hubwatch-codegen ${option}`);
  return missing;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { runCli } from '../cli.js';
import { compileProtos } from '../load/compile-protos.js';
import { scriptOfPackage } from '../load/run-tool.js';
import { type BreakingReport, findBreaking } from './breaking.js';
import { bumpOf, nextVersion } from './next-version.js';

const fixture = join(repositoryRoot, 'packages/codegen/fixtures/weather');

/** Edits of the weather service, and the expected changes. */
const edits: [file: string, from: string, to: string, found: string[]][] = [
  [
    'forecast.proto',
    '  string id = 1;\n  Reading reading = 2;',
    '  string id = 7;\n  Reading reading = 2;',
    ['major wire field-renumbered weather.v1.Report.id'],
  ],
  ['forecast.proto', '  bytes raw = 19;\n', '', ['major wire field-removed weather.v1.Forecast.raw']],
  [
    'forecast.proto',
    'sint64 offset = 15;',
    'int64 offset = 15;',
    ['major wire field-retyped weather.v1.Forecast.offset'],
  ],
  [
    'forecast.proto',
    'optional string remark = 9;',
    'string remark = 9;',
    ['major api field-presence weather.v1.Forecast.remark'],
  ],
  [
    'forecast.proto',
    'fixed64 checksum = 16;',
    'fixed64 check = 16;',
    ['major wire field-renamed weather.v1.Forecast.checksum'],
  ],
  [
    'forecast.proto',
    'repeated sint32 deltas = 18;',
    'sint32 deltas = 18;',
    ['major wire field-retyped weather.v1.Forecast.deltas'],
  ],
  [
    'forecast.proto',
    'map<int64, string> notes',
    'map<int32, string> notes',
    ['major wire field-retyped weather.v1.Forecast.notes'],
  ],
  [
    'forecast.proto',
    'bool dry_run = 2;',
    'bool dry_run = 2;\n  string why = 3;',
    ['minor wire field-added weather.v1.CreateReportRequest.why'],
  ],
  [
    'forecast.proto',
    'delete: "/v1/reports/{id}"',
    'delete: "/v2/reports/{id}"',
    [
      'major wire route-removed weather.v1.ForecastService/Delete',
      'minor wire route-added weather.v1.ForecastService/Delete',
    ],
  ],
  [
    'forecast.proto',
    'rpc Watch(GetForecastRequest) returns (stream Forecast)',
    'rpc Watch(Place) returns (Forecast)',
    [
      'major wire method-retyped weather.v1.ForecastService/Watch',
      'major wire method-streaming weather.v1.ForecastService/Watch',
      'patch availability reason weather.v1.ForecastService/Watch',
    ],
  ],
  [
    'forecast.proto',
    '  rpc AbciQuery(DeleteRequest) returns (DeleteResponse);\n',
    '',
    [
      'major wire method-removed weather.v1.HttpAdmin/AbciQuery',
      'major api export-removed methods/weather/v1/http-admin_ abciQuery_',
    ],
  ],
  [
    'units.proto',
    '  UNIT_MM = 2;',
    '  UNIT_INCH = 2;\n  UNIT_FOOT = 3;',
    ['major wire enum-value-renamed weather.v1.Unit.UNIT_MM', 'minor wire enum-value-added weather.v1.Unit.UNIT_FOOT'],
  ],
  [
    'names.proto',
    'message Outer_Inner {\n  string from_top = 1;\n}\n',
    '',
    ['major wire message-removed weather.v1.names.Outer_Inner'],
  ],
  ['names.proto', '    Outer_Inner top = 3;\n', '', ['major wire field-removed weather.v1.names.KindTable.top']],
  [
    '../../../spec/availability.yaml',
    'services:\n',
    'services:\n  weather.v1.ForecastService:\n    CreateReport: { grpc: served, rest: retired, abci: retired }\n',
    [
      'major availability unserved weather.v1.ForecastService/CreateReport',
      'patch availability reason weather.v1.ForecastService/CreateReport',
    ],
  ],
  ['../../../spec/any.yaml', 'weather.v1.Hail, ', '', ['major api implementation-removed weather.v1.Detail']],
];

describe('breaking', () => {
  let folder: string;
  let report: BreakingReport;
  const now = (): string => join(folder, 'now');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-breaking-'));
    cpSync(fixture, join(folder, 'old'), { recursive: true });
    cpSync(fixture, now(), { recursive: true });
    writeFileSync(join(now(), 'package.json'), '{ "version": "1.4.2" }');
    for (const [file, from, to] of edits) {
      const path = join(now(), 'proto/weather/v1', file);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(from);
      writeFileSync(path, text.replace(from, to));
    }
    report = await findBreaking(now(), join(folder, 'old'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const told = (): string[] =>
    report.changes.map(({ level, area, rule, subject }) => `${level} ${area} ${rule} ${subject}`);

  test.each(edits)('breaking: %s, %j is reported', (_, __, ___, found) => {
    for (const line of found) expect(told()).toContain(line);
  });

  test('breaking: no other change is reported, except resulting changes of exports', () => {
    const expected = new Set(edits.flatMap(([, , , found]) => found));
    expect(told().filter((line) => !expected.has(line) && !/ api (?:export|module)-/.test(line))).toEqual([]);
  });

  test('breaking: proposes the next version; a state compared with itself has none', async () => {
    expect(report).toMatchObject({ bump: 'major', version: { from: '1.4.2', to: '2.0.0' } });
    expect(await findBreaking(join(folder, 'old'), fixture)).toMatchObject({ changes: [], bump: 'none' });
  });

  test('breaking: reports every change that buf reports as breaking in JSON or on the wire', () => {
    const script = scriptOfPackage('@bufbuild/buf', 'bin/buf');
    const workspace = JSON.stringify({
      version: 'v2',
      modules: [{ path: 'proto' }, { path: 'third_party' }],
      breaking: { use: ['WIRE_JSON', 'WIRE'] },
    });
    const args = [
      'breaking',
      now(),
      '--config',
      workspace,
      '--against',
      join(folder, 'old'),
      '--against-config',
      workspace,
    ];
    const { stdout } = spawnSync(process.execPath, [script, ...args, '--error-format', 'json'], { encoding: 'utf8' });
    const theirs = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(theirs.length).toBeGreaterThan(8);
    const broken = report.changes.filter(({ level }) => level === 'major');
    // Each of its sentences quotes the names of the change, the innermost first.
    const missed = theirs.filter((message) => {
      const names = [...message.matchAll(/"([\w.]+)"/g)].map(([, name = '']) => name);
      return !broken.some(({ subject, what }) =>
        names.some((name) => /[A-Za-z]/.test(name) && `${subject} ${what}`.includes(name)),
      );
    });
    expect(missed).toEqual([]);
  });

  const run = async (args: string[], cwd: string) => {
    let [out, err] = ['', ''];
    const code = await runCli(args, cwd, { out: (text) => (out += text), err: (text) => (err += text) });
    return { code, out, err };
  };

  test('breaking: against a git tag, from a folder below the root; exit code and one report', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main', ...args], {
        cwd: join(folder, 'repo'),
        stdio: 'pipe',
      });
    cpSync(fixture, join(folder, 'repo/api'), { recursive: true });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('tag', 'v1');
    const api = join(folder, 'repo/api');
    expect(await run(['breaking', '--against', 'v1'], api)).toMatchObject({
      code: 0,
      out: 'against v1: 0 breaking, 0 added; nothing changed\n',
    });
    cpSync(join(now(), 'spec'), join(api, 'spec'), { recursive: true });
    const found = await run(['breaking', '--against', 'v1'], join(api, 'proto'));
    expect(found).toMatchObject({ code: 1, err: '' });
    expect(found.out).toContain(
      'no longer served:\n  weather.v1.ForecastService/CreateReport: is served over rest no more: weather.v1.ForecastService CreateReport is retired',
    );
    expect(found.out).toMatch(/^against v1: \d breaking, 0 added; the next version is a major one$/m);
    expect(await run(['breaking', '--against', 'v2'], api)).toMatchObject({
      code: 2,
      err: 'hubwatch-codegen: v2: there is no such file or folder, and git knows no such commit, branch or tag here\n',
    });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('hubwatch-earlier-'))).toEqual([]);
  });

  test('breaking: against a tarball and against a descriptor set, as JSON', async () => {
    execFileSync('tar', ['-czf', join(folder, 'old.tgz'), 'old'], { cwd: folder });
    const ofTarball = await run(['breaking', '--against', '../old.tgz', '--json'], now());
    expect(ofTarball.code).toBe(1);
    const { breaking, added, ...rest } = JSON.parse(ofTarball.out) as Record<string, unknown>;
    expect(rest).toMatchObject({ command: 'breaking', ok: false, against: '../old.tgz', ...report });
    expect(Number(breaking) + Number(added)).toBe(report.changes.filter(({ level }) => level !== 'patch').length);
    const set = await compileProtos([join(fixture, 'proto'), join(fixture, 'third_party')]);
    writeFileSync(join(folder, 'old.binpb'), toBinary(FileDescriptorSetSchema, set));
    const ofSet = await run(['breaking', '--against', '../old.binpb', '--json'], now());
    const wire = (changes: BreakingReport['changes']) =>
      changes.filter(({ area, rule }) => area === 'wire' && !rule.startsWith('route'));
    expect(wire((JSON.parse(ofSet.out) as BreakingReport).changes)).toEqual(wire(report.changes));
    const broken = await run(['breaking', '--against', '../old.tgz/nope'], now());
    expect(broken.code).toBe(2);
  });

  test.each([
    ['0.1.4', 'major', '0.2.0'],
    ['0.1.4', 'minor', '0.1.5'],
    ['1.2.3', 'major', '2.0.0'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'none', '1.2.3'],
    ['1.0.0-rc.1', 'major', undefined],
  ] as const)('version: %s with a %s change is followed by %s', (version, bump, next) => {
    expect(nextVersion(version, bump)).toBe(next);
    expect(bumpOf(bump === 'none' ? [] : ['patch', bump])).toBe(bump);
  });
});

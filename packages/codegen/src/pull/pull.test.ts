import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fakeReflection } from '../../test/fake-reflection.js';
import { runCli } from '../cli.js';
import { compileProtos } from '../load/compile-protos.js';

const protos = {
  'a/v1/a.proto':
    'syntax = "proto3";\npackage a.v1;\n\nmessage M {\n  string id = 1;\n}\n\nservice A {\n  rpc Get(M) returns (M);\n}\n',
  'b/v1/b.proto':
    'syntax = "proto3";\npackage b.v1;\n\nimport "b/v1/lost.proto";\n\nservice B {\n  rpc Get(b.v1.Lost) returns (b.v1.Lost);\n}\n',
  'b/v1/lost.proto':
    'syntax = "proto3";\npackage b.v1;\n\n// Nobody prints this line.\nmessage Lost {\n  string id = 1;\n}\n',
};

function write(folder: string, paths: readonly (keyof typeof protos)[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), protos[path]);
  }
}

describe('pull: reflection that cannot resolve one file', () => {
  let folder: string;
  let set: FileDescriptorSet;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-pull-'));
    write(join(folder, 'all'), ['a/v1/a.proto', 'b/v1/b.proto', 'b/v1/lost.proto']);
    set = await compileProtos(join(folder, 'all'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const pull = async (name: string, without: readonly string[], prepare: (into: string) => void = () => undefined) => {
    const into = join(folder, name);
    mkdirSync(into);
    prepare(into);
    const node = await fakeReflection(set, { without });
    let out = '';
    const streams = { out: (text: string) => void (out += text), err: (text: string) => void (out += text) };
    const code = await runCli(['pull', node.endpoint, '--root', into, '--json'], folder, streams);
    await node.close();
    const report = JSON.parse(out) as Record<string, unknown>;
    return { code, report, has: (path: string) => existsSync(join(into, 'proto', path)), into };
  };

  test('pull: the other services are written, and the incomplete one is reported with its reason', async () => {
    const { code, report, has, into } = await pull('other', ['b/v1/lost.proto']);
    expect(report).toMatchObject({
      ok: false,
      written: ['a/v1/a.proto'],
      vendored: [],
      failed: [{ service: 'b.v1.B', why: 'b/v1/b.proto needs b/v1/lost.proto, which the node does not give' }],
    });
    expect([code, has('a/v1/a.proto'), has('b/v1/b.proto')]).toEqual([1, true, false]);
    // The written files are complete, so `generate` succeeds.
    const args = ['generate', '--root', into, '--emitters', 'forms,methods'];
    const silent = { out: () => undefined, err: () => undefined };
    expect(await runCli(args, folder, silent)).toBe(0);
    expect((await pull('again', ['b/v1/lost.proto'])).report).toMatchObject({ failed: report['failed'] });
  });

  test('pull: a service whose own file is not found is reported too', async () => {
    const { code, report } = await pull('unlisted', ['b/v1/b.proto']);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      failed: [{ service: 'b.v1.B', why: 'the node gives no file for it' }],
      unknown: [],
    });
  });

  test('pull: the existing file replaces the lost one, and is unchanged', async () => {
    const { code, report, has, into } = await pull('vendored', ['b/v1/lost.proto'], (at) =>
      write(join(at, 'proto'), ['b/v1/lost.proto']),
    );
    expect(report).toMatchObject({
      ok: true,
      failed: [],
      vendored: ['b/v1/lost.proto'],
      written: ['a/v1/a.proto', 'b/v1/b.proto'],
    });
    expect([code, has('b/v1/b.proto')]).toEqual([0, true]);
    expect(readFileSync(join(into, 'proto/b/v1/lost.proto'), 'utf8')).toBe(protos['b/v1/lost.proto']);
  });

  test('pull: a node that returns everything omits nothing', async () => {
    const { code, report } = await pull('whole', []);
    expect(report).toMatchObject({ ok: true, files: 3, failed: [], vendored: [], unknown: [] });
    expect(code).toBe(0);
  });
});

test('pull: the search request has the parameter of the node that was pulled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-search-'));
  const silent = { out: () => undefined, err: () => undefined };
  const request = {
    old: 'repeated string events = 1;',
    new: 'repeated string events = 1; uint64 limit = 5; string query = 6;',
  };
  const generated = async (version: keyof typeof request): Promise<string> => {
    const [source, into] = [join(folder, `${version}-node`), join(folder, version)];
    mkdirSync(join(source, 'tx/v1'), { recursive: true });
    mkdirSync(into);
    const body = `message GetTxsEventRequest { ${request[version]} } service Service { rpc GetTxsEvent(GetTxsEventRequest) returns (GetTxsEventRequest); }`;
    writeFileSync(join(source, 'tx/v1/service.proto'), `syntax = "proto3"; package tx.v1; ${body}`);
    const node = await fakeReflection(await compileProtos(source));
    expect(await runCli(['pull', node.endpoint, '--root', into], folder, silent)).toBe(0);
    await node.close();
    expect(await runCli(['generate', '--root', into, '--emitters', 'forms,methods'], folder, silent)).toBe(0);
    return readFileSync(join(into, 'src/gen/forms/tx/v1/service.ts'), 'utf8');
  };
  expect(await generated('old')).toContain("'events*'");
  expect(await generated('new')).toContain("'events*,5:limit uint64,query'");
  rmSync(folder, { recursive: true });
});

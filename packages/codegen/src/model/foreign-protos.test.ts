import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { compileProtos } from '../load/compile-protos.js';
import { link } from '../load/link.js';
import { emptySpec } from '../load/spec-defaults.js';
import { buildModel } from './build-model.js';

describe('proto files of another team', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-foreign-'));
    mkdirSync(join(folder, 'google'));
    cpSync(join(repositoryRoot, 'proto/google/api'), join(folder, 'google/api'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const model = async (body: string, syntax = 'proto3') => {
    const head = `syntax = "${syntax}"; package a.v1; import "google/api/annotations.proto"; message M { optional int32 id = 1; }`;
    writeFileSync(join(folder, 'a.proto'), `${head}\n${body}`);
    return buildModel(link(await compileProtos(folder)), emptySpec);
  };
  const method = (rule: string) => `service S { rpc Get(M) returns (M) { option (google.api.http) = ${rule}; } }`;

  test.each([
    [
      'a group',
      'proto2',
      'message A { optional group B = 1 { optional int32 c = 1; } }',
      'a.proto: a.v1.A.b is a group, which is not supported',
    ],
    [
      'two members with one name',
      'proto3',
      'message A { string ab_c = 1; oneof abC { int32 d = 2; } }',
      'a.proto: a.v1.A: ab_c and abC would both be the member abC',
    ],
    [
      'a body that is no field',
      'proto3',
      method('{ post: "/a" body: "nope" }'),
      'a.proto: a.v1.S/Get: HTTP rule: its body nope is no field of a.v1.M',
    ],
    [
      'a path that names no field',
      'proto3',
      method('{ get: "/a/{id.b}" }'),
      'HTTP rule: its path names id.b, which a.v1.M does not have',
    ],
    [
      'a custom verb',
      'proto3',
      method('{ custom { kind: "HEAD" path: "/a" } }'),
      'HTTP rule: custom; a rule is one of get, post, put, patch, delete',
    ],
  ])('model: %s is refused with file and name', async (_, syntax, body, fault) => {
    await expect(model(body, syntax)).rejects.toThrow(fault);
  });

  test('model: every rule of a method is a route, streams have none, and reserved names get an underscore', async () => {
    const { services, files } = await model(`
      service S {
        rpc Delete(M) returns (M) { option (google.api.http) = { delete: "/a/{id}" additional_bindings { patch: "/b" body: "id" } }; }
        rpc Watch(M) returns (stream M) { option (google.api.http) = { get: "/w" }; }
      }
      service All { rpc Get(M) returns (M); }
      enum string { a = 0; }`);
    const [all, s] = services;
    expect(s?.methods[0]).toMatchObject({
      constant: 'delete_',
      rest: { verb: 'DELETE', path: '/a/{id}' },
      moreRoutes: [{ verb: 'PATCH', path: '/b', body: 'id' }],
    });
    expect(s?.methods[1]).toMatchObject({
      stream: 'server',
      availability: { rest: { served: false, kind: 'no_rule' } },
    });
    expect(s?.methods[1]?.rest).toBeUndefined();
    expect(all?.path).toBe('a/v1/all');
    expect(files.find(({ path }) => path === 'a')?.enums[0]?.local).toBe('string_');
    expect(files.find(({ path }) => path === 'a')?.messages[0]?.fields[0]).toMatchObject({
      optional: true,
      kind: 'int32',
    });
  });
});

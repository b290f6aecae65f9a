import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { compileProtos } from '../load/compile-protos.js';
import { link } from '../load/link.js';
import { emptySpec } from '../load/spec-defaults.js';
import { buildModel } from './build-model.js';
import type { Model } from './model.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hubwatch-routes-'));
  mkdirSync(join(folder, 'google'));
  cpSync(join(repositoryRoot, 'proto/google/api'), join(folder, 'google/api'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @param routes method name → HTTP rule */
async function model(routes: Readonly<Record<string, string>>): Promise<Model> {
  const methods = Object.entries(routes).map(
    ([name, rule]) => `rpc ${name}(A) returns (A) { option (google.api.http) = { ${rule} }; }`,
  );
  const head =
    'syntax = "proto3"; package r.v1; import "google/api/annotations.proto"; message A { string id = 1; string name = 2; }';
  writeFileSync(join(folder, 'r.proto'), `${head} service Query { ${methods.join('\n')} }`);
  return buildModel(link(await compileProtos(folder)), emptySpec);
}

test.each<[what: string, routes: Readonly<Record<string, string>>, both: string]>([
  [
    'one path with other names of its parameter',
    { One: 'get: "/r/v1/things/{id}"', Two: 'get: "/r/v1/things/{name}"' },
    'r.proto: r.v1.Query/One (GET /r/v1/things/{id}) and r.proto: r.v1.Query/Two (GET /r/v1/things/{name}) have one route',
  ],
  [
    'one path, written with a pattern',
    { One: 'get: "/r/{id=*}"', Two: 'get: "/r/{name}"' },
    'r.v1.Query/One (GET /r/{id=*}) and r.proto: r.v1.Query/Two (GET /r/{name}) have one route',
  ],
  [
    'a further binding of another method',
    { One: 'get: "/r/a" additional_bindings { get: "/r/b" }', Two: 'get: "/r/b"' },
    'r.v1.Query/One (GET /r/b) and r.proto: r.v1.Query/Two (GET /r/b) have one route',
  ],
  [
    'one method twice',
    { One: 'get: "/r/{id}" additional_bindings { get: "/r/{name}" }' },
    'r.v1.Query/One (GET /r/{id}) and r.proto: r.v1.Query/One (GET /r/{name}) have one route',
  ],
  [
    'a pattern over several segments before a longer route',
    { Wild: 'get: "/r/v1/wild/{id=**}"', WildMore: 'get: "/r/v1/wild/{id}/more"' },
    'r.v1.Query/Wild (GET /r/v1/wild/{id=**}) and r.proto: r.v1.Query/WildMore (GET /r/v1/wild/{id}/more) share URLs, and the first takes all of them',
  ],
])('routes: %s is rejected, and the error names both methods', async (_, routes, both) => {
  await expect(model(routes)).rejects.toThrow(both);
});

test.each<[what: string, routes: Readonly<Record<string, string>>]>([
  ['other verbs', { One: 'get: "/r/{id}"', Two: 'delete: "/r/{id}"' }],
  ['a word where another has a parameter', { One: 'get: "/r/{id}"', Two: 'get: "/r/latest"' }],
  ['a longer route before a pattern over several segments', { More: 'get: "/r/{id}/more"', Wild: 'get: "/r/{id=**}"' }],
])('routes: %s are two routes', async (_, routes) => {
  expect((await model(routes)).services[0]?.methods).toHaveLength(2);
});

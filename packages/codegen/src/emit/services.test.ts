import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import { compileProtos } from '../load/compile-protos.js';
import { link } from '../load/link.js';
import { emptySpec } from '../load/spec-defaults.js';
import { buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';
import { packageOf, serviceObjectName } from '../naming/service-object.js';
import { emitAll } from './emit-all.js';
import { entries } from './entries.js';
import { services } from './services.js';

describe('services and entries of hub v12', () => {
  let model: Model;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const { linked, spec } = await sharedInput();
    model = buildModel(linked, spec);
    files = new Map(
      (await emitAll([services, entries], { model, linked, spec })).map(({ path, text }) => [path, text]),
    );
  });

  test('services: 41 objects, with equal names only for versions of one package', () => {
    const packages = new Map<string, Set<string>>();
    for (const { name } of model.services) {
      const object = serviceObjectName(name);
      packages.set(object, (packages.get(object) ?? new Set()).add(packageOf(name).replace(/\.v\w+$/, '')));
    }
    expect(model.services).toHaveLength(41);
    expect([...packages].filter(([, { size }]) => size > 1)).toEqual([]);
  });

  test('services: an object has every method of its service, and refers only to their constants', () => {
    for (const { name, path, methods } of model.services) {
      const text = files.get(`services/${path}.ts`) ?? '';
      const imports = [...text.matchAll(/^import .*?from '(.*?)';$/gms)].map(([, module = '']) => module);
      expect([name, imports.filter((module) => !/runtime\/method\.js$/.test(module))]).toEqual([
        name,
        [expect.stringContaining(`/methods/${path}.js`)],
      ]);
      const members = /methods: \{\n(.*?)\n {2}\}/s.exec(text)?.[1]?.match(/\w+(?=[,:])/g);
      expect(members).toEqual(methods.map(({ constant }) => constant));
    }
  });

  test('entries: every package exports each message, enum, method, transaction message and union that it declares', () => {
    const wanted = new Map<string, string[]>();
    const want = (name: string, ...symbols: string[]): void => {
      wanted.set(name, [...(wanted.get(name) ?? []), ...symbols]);
    };
    for (const file of model.files) {
      want(file.package, ...file.messages.map(({ local }) => local));
      for (const { local } of file.enums) want(file.package, local, `${local}Table`);
    }
    for (const { name, methods } of model.services)
      want(packageOf(name), serviceObjectName(name), ...methods.map(({ constant }) => constant));
    for (const { name, msgs } of model.msgServices) want(packageOf(name), ...msgs.map(({ constant }) => constant));
    for (const { name, typeName, tableName } of model.interfaces) want(packageOf(name), typeName, tableName);
    for (const [name, symbols] of wanted) {
      if (symbols.length === 0) continue;
      const text = files.get(`entries/${name.replaceAll('.', '/')}.ts`) ?? '';
      const found = [...text.matchAll(/^export (?:type )?\{(.*?)\} from/gms)].flatMap(([, list = '']) =>
        list
          .split(',')
          .map((symbol) => symbol.replace('type ', '').trim())
          .filter(Boolean),
      );
      expect([name, found.sort()]).toEqual([name, symbols.sort()]);
    }
    expect(wanted.size).toBeGreaterThan(60);
  });
});

test.each([
  ['hub.node.v3.QueryService', 'NodeQuery'],
  ['stack.bank.v1beta1.Query', 'BankQuery'],
  ['stack.base.node.v1beta1.Service', 'NodeService'],
  ['stack.base.reflection.v2alpha1.ReflectionService', 'ReflectionService'],
  ['grpc.reflection.v1alpha.ServerReflection', 'ServerReflection'],
  ['ibc.applications.interchain_accounts.host.v1.Query', 'HostQuery'],
  ['weather_station.v1.HTTPAdmin', 'WeatherStationHTTPAdmin'],
  ['a.v1.query', 'AQuery'],
  ['v1.Reader', 'Reader'],
  ['Map', 'Map_'],
])('services: the object of %s is %s', (service, object) => {
  expect(serviceObjectName(service)).toBe(object);
});

describe('services and entries of another team', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-services-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const emit = async (body: string, head = 'package a.v1;') => {
    writeFileSync(join(folder, 'a.proto'), `syntax = "proto3"; ${head} message M {}\n${body}`);
    const linked = link(await compileProtos(folder));
    const model = buildModel(linked, emptySpec);
    const files = await emitAll([services, entries], { model, linked, spec: emptySpec });
    return new Map(files.map(({ path, text }) => [path, text]));
  };

  test('services: two services of one package with the same name are refused, and the error names both', async () => {
    await expect(
      emit('service Query { rpc A(M) returns (M); } service QueryService { rpc B(M) returns (M); }'),
    ).rejects.toThrow(
      'the services a.v1.Query and a.v1.QueryService would both be the object AQuery; rename one of them',
    );
  });

  test('entries: a name that another symbol of the package has gets an underscore', async () => {
    const files = await emit(
      'message get {} service Query { rpc Get(M) returns (M); } service Other { rpc Get(M) returns (M); }',
    );
    const text = files.get('entries/a/v1.ts') ?? '';
    expect(text).toContain("export { M, get } from '../../forms/a.js';");
    expect(text).toContain("export { get as get_ } from '../../methods/a/v1/other.js';");
    expect(text).toContain("export { get as get__ } from '../../methods/a/v1/query.js';");
  });

  test('entries: files without a package have none, but their services have objects', async () => {
    const files = await emit('service Query { rpc Get(M) returns (M); }', '');
    expect([...files.keys()].filter((path) => path.startsWith('entries/'))).toEqual([]);
    expect(files.get('services/query.ts')).toContain('export const Query: Service<QueryMethods>');
  });
});

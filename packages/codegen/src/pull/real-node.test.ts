import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { clone, create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
  FileOptionsSchema,
  type ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type CopiedRoot, copyRoot, repositoryRoot } from '../../test/copied-root.js';
import { sharedInput } from '../../test/shared-input.js';
import { fakeReflection } from '../../test/fake-reflection.js';
import { runCli } from '../cli.js';
import { drift } from '../compare/drift.js';
import { listFiles } from '../list-files.js';

/** Files that a v12.0.2 node served, unchanged, under the names of its network. */
const recording = join(repositoryRoot, 'packages/codegen/fixtures/reflection-real.binpb.gz');
/** Declared in a file that the node serves, but not listed. */
const notListed = 'tendermint.abci.ABCIApplication';

let set: FileDescriptorSet;
let copy: CopiedRoot;
/** The same protos compiled once, because a table of changes uses them repeatedly. */
let compiled: CopiedRoot;
beforeAll(async () => {
  set = fromBinary(FileDescriptorSetSchema, gunzipSync(readFileSync(recording)));
  copy = copyRoot();
  compiled = copyRoot({ output: 'none' });
  const { linked } = await sharedInput();
  await writeFile(join(compiled.root, 'all.binpb'), toBinary(FileDescriptorSetSchema, linked.set));
  await compiled.edit('hubwatch-codegen.yml', (text) => text.replace(/^protos: .*$/m, 'descriptors: all.binpb'));
});
afterAll(() => Promise.all([copy.remove(), compiled.remove()]));

async function serve<T>(served: FileDescriptorSet, use: (endpoint: string) => Promise<T>): Promise<T> {
  const names = served.file.flatMap((file) => file.service.map(({ name }) => `${file.package}.${name}`));
  const node = await fakeReflection(served, { services: names.filter((name) => name !== notListed) });
  try {
    return await use(node.endpoint);
  } finally {
    await node.close();
  }
}

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const keep = (part: string): void => void (text += part);
  const code = await runCli(args, copy.root, { out: keep, err: keep });
  return { code, text };
}

test('drift: a genuine node contradicts nothing', async () => {
  const { drifts, services } = await serve(set, (endpoint) => drift(copy.root, endpoint));
  expect({ drifts, services }).toEqual({ drifts: [], services: 41 });
});

test('pull: a genuine node changes nothing in this repository, and generate --check passes before and after generate', async () => {
  const pulled = await serve(set, (endpoint) => run('pull', endpoint, '--root', copy.root));
  expect(pulled).toMatchObject({ code: 0, text: expect.stringMatching(/^proto: 0 written; \d+ files of 41 services/) });
  expect(await run('generate', '--check', '--root', copy.root)).toMatchObject({ code: 0 });
  expect(await run('generate', '--root', copy.root)).toMatchObject({ code: 0 });
  expect(await run('generate', '--check', '--root', copy.root)).toMatchObject({ code: 0 });
});

test('pull, generate, drift: a genuine node in an empty folder without a spec', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-real-'));
  try {
    const pulled = await serve(set, (endpoint) => run('pull', endpoint, '--root', folder));
    expect(pulled).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^proto: 118 written; 122 files of 41 services/),
    });
    const paths = await listFiles(join(folder, 'proto'));
    expect(paths).toContain('sentinel/node/v3/node.proto');
    expect(paths.filter((path) => path.startsWith('google/protobuf'))).toEqual([]);
    // Including two methods of the framework that share a route.
    expect(await run('generate', '--root', folder)).toMatchObject({ code: 0 });
    expect(await run('generate', '--check', '--root', folder)).toMatchObject({ code: 0 });
    const { drifts } = await serve(set, (endpoint) => drift(folder, endpoint));
    expect(drifts).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const file = (of: FileDescriptorSet, name: string): FileDescriptorProto => {
  const found = of.file.find((each) => each.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const named = <T extends { readonly name: string }>(list: readonly T[], name: string): T => {
  const found = list.find((each) => each.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const node3 = (of: FileDescriptorSet): DescriptorProto =>
  named(file(of, 'sentinel/node/v3/node.proto').messageType, 'Node');
const field = (of: FileDescriptorSet, name: string): FieldDescriptorProto => named(node3(of).field, name);
const status = (of: FileDescriptorSet): EnumDescriptorProto =>
  named(file(of, 'sentinel/types/v1/status.proto').enumType, 'Status');
const query = (of: FileDescriptorSet): ServiceDescriptorProto =>
  named(file(of, 'sentinel/node/v3/querier.proto').service, 'QueryService');

/** Replaces a text in the serialised options of a descriptor by one of the same length. */
function replaceInOptions(holder: { options?: Message | undefined }, from: string, to: string): void {
  const { options } = holder;
  const unknown = options?.$unknown ?? [];
  if (!options || from.length !== to.length || !unknown.some(({ data }) => Buffer.from(data).includes(from))) {
    throw new Error(`no option holds ${from}`);
  }
  const replaced = (data: Uint8Array): Uint8Array =>
    Buffer.from(Buffer.from(data).toString('latin1').replace(from, to), 'latin1');
  // A clone shares unknown fields with the original.
  options.$unknown = unknown.map((each) => ({ ...each, data: replaced(each.data) }));
}

test.each<[what: string, change: (of: FileDescriptorSet) => void, named: string]>([
  ['a field has another number', (of) => void (field(of, 'inactive_at').number = 99), 'Node.inactive_at'],
  [
    'a field has another type',
    (of) => void (field(of, 'address').type = FieldDescriptorProto_Type.BYTES),
    'Node.address',
  ],
  [
    'a field is repeated',
    (of) => void (field(of, 'address').label = FieldDescriptorProto_Label.REPEATED),
    'Node.address',
  ],
  ['a field has another name', (of) => void (field(of, 'address').name = 'addr'), 'Node.addr'],
  ['a field has another JSON name', (of) => void (field(of, 'address').jsonName = 'Address'), 'Node.address'],
  [
    'a field is new',
    (of) => void node3(of).field.push({ ...field(of, 'address'), name: 'more', jsonName: 'more', number: 77 }),
    'Node.more',
  ],
  ['a field is gone', (of) => void node3(of).field.splice(1, 1), 'Node.'],
  ['fields are in another order', (of) => void node3(of).field.reverse(), 'order of fields in hub.node.v3.Node'],
  [
    'a field is packed otherwise',
    (of) => void (field(of, 'remote_addrs').options = create(FieldOptionsSchema, { packed: true })),
    'Node.remote_addrs',
  ],
  [
    'an enum value has another number',
    (of) => void ((status(of).value[1] as { number: number }).number = 9),
    'STATUS_ACTIVE',
  ],
  ['an enum value is gone', (of) => void status(of).value.pop(), 'hub.types.v1.Status.'],
  [
    'a method returns something else',
    (of) => void (named(query(of).method, 'QueryNode').outputType = query(of).method[0]?.outputType ?? ''),
    'QueryService/QueryNode',
  ],
  [
    'a method streams',
    (of) => void (named(query(of).method, 'QueryNode').serverStreaming = true),
    'QueryService/QueryNode',
  ],
  ['a method is gone', (of) => void query(of).method.pop(), 'hub.node.v3.QueryService/'],
  [
    'a route has another path',
    (of) =>
      replaceInOptions(named(query(of).method, 'QueryNode'), '/sentinel/node/v3/nodes/', '/sentinel/node/v3/nodez/'),
    'QueryService/QueryNode',
  ],
  [
    'a number has another custom type',
    (of) =>
      replaceInOptions(
        named(named(file(of, 'sentinel/types/v1/price.proto').messageType, 'Price').field, 'base_value'),
        'math.LegacyDec',
        'math.LegacyInt',
      ),
    'Price.base_value',
  ],
  [
    'a message of protobuf itself has another field',
    (of) =>
      void ((named(file(of, 'google/protobuf/any.proto').messageType, 'Any').field[0] as { number: number }).number =
        5),
    'google.protobuf.Any.type_url',
  ],
  ['syntax is proto2', (of) => void (file(of, 'sentinel/node/v3/node.proto').syntax = 'proto2'), 'hub.node.v3.Node'],
])('drift: exit code 1 and the fact are reported when %s', async (_, change, what) => {
  const changed = clone(FileDescriptorSetSchema, set);
  change(changed);
  const { code, text } = await serve(changed, (endpoint) => run('drift', endpoint, '--root', compiled.root));
  expect(text).toContain(what);
  expect(text).toMatch(/^proto\/lock\.json:\d+: the node has another /m);
  expect(code).toBe(1);
});

const unobservable: readonly [what: string, change: (of: FileDescriptorSet) => void][] = [
  [
    'another Go package',
    (of) =>
      void (file(of, 'sentinel/node/v3/node.proto').options = create(FileOptionsSchema, {
        goPackage: 'example.org/other',
        javaPackage: 'org.example',
      })),
  ],
  [
    'another import path of a Go type',
    (of) =>
      replaceInOptions(
        named(named(file(of, 'sentinel/types/v1/price.proto').messageType, 'Price').field, 'base_value'),
        'cosmossdk.io/math',
        'exampl.org/x/math',
      ),
  ],
  ['imports in another order', (of) => void file(of, 'sentinel/node/v3/querier.proto').dependency.reverse()],
  ['reserved names', (of) => void node3(of).reservedName.push('gone')],
  [
    'a deprecated field',
    (of) => void (field(of, 'address').options = create(FieldOptionsSchema, { deprecated: true })),
  ],
  ['other options of protobuf itself', (of) => void delete file(of, 'google/protobuf/any.proto').options],
];

test('drift: facts that no client can observe are ignored: Go paths, language options, order of imports', async () => {
  const changed = clone(FileDescriptorSetSchema, set);
  for (const [, change] of unobservable) change(changed);
  expect((await serve(changed, (endpoint) => drift(compiled.root, endpoint))).drifts).toEqual([]);
});

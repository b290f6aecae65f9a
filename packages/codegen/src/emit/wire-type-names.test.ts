import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { create } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';

import { compileProtos } from '../load/compile-protos.js';
import { withDeclarableNames } from './wire-type-names.js';

async function namesOf(...messages: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-names-'));
  try {
    writeFileSync(join(folder, 'a.proto'), `syntax = "proto3"; package a; ${messages.join('\n')}`);
    const { files, finish } = withDeclarableNames((await compileProtos(folder)).file);
    return files.flatMap(({ messageType }) => messageType.map(({ name }) => finish(name)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('wire types: messages named like globals of the language get an underscore, as in all other files', async () => {
  expect(await namesOf('message Uint8Array {}', 'message BigInt {}', 'message delete {}', 'message Plan {}')).toEqual([
    'Uint8Array_',
    'BigInt_',
    'delete_',
    'Plan',
  ]);
});

test('wire types: two types that would be declared under one name get different names', async () => {
  const names = await namesOf('message A_b {}', 'message AB {}', 'message Set {}', 'message createBaseSet {}');
  expect(names).toEqual(['A_b', 'AB_', 'Set_', 'createBaseSet__']);
});

test('wire types: references use the new names', async () => {
  const file: FileDescriptorProto = create(FileDescriptorProtoSchema, {
    name: 'a.proto',
    messageType: [
      { name: 'Map', nestedType: [{ name: 'Set' }] },
      { name: 'B', field: [{ name: 'a', number: 1, typeName: '.Map.Set' }] },
    ],
    service: [{ name: 'S', method: [{ name: 'M', inputType: '.Map', outputType: '.B' }] }],
  });
  const { files, finish } = withDeclarableNames([file]);
  expect(finish(files[0]?.messageType[1]?.field[0]?.typeName ?? '')).toBe('.Map_.Set');
  expect(finish(files[0]?.service[0]?.method[0]?.inputType ?? '')).toBe('.Map_');
  expect(file.messageType[0]?.name).toBe('Map');
});

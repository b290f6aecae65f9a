import {
  create,
  createFileRegistry,
  type DescExtension,
  hasExtension,
  setExtension,
  getExtension,
} from '@bufbuild/protobuf';
import { FieldOptionsSchema, type FileDescriptorProto, FileOptionsSchema } from '@bufbuild/protobuf/wkt';
import { clone } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import { Neutraliser } from './neutral-descriptor.js';

async function nodeFile(): Promise<{ file: FileDescriptorProto; find: (name: string) => DescExtension | undefined }> {
  const { linked } = await sharedInput();
  const registry = createFileRegistry(linked.set);
  const found = linked.set.file.find(({ name }) => name === 'hub/types/v1/price.proto') as FileDescriptorProto;
  return { file: clone(FileDescriptorProtoSchema, found), find: (name) => registry.getExtension(name) };
}

test('pull: language options and data added by a code generator are omitted; the rest is kept', async () => {
  const { file, find } = await nodeFile();
  const before = clone(FileDescriptorProtoSchema, file);
  file.options ??= create(FileOptionsSchema);
  file.options.goPackage = 'example.org/types';
  file.options.javaPackage = 'org.example';
  const added = find('gogoproto.sizer_all') as DescExtension;
  setExtension(file.options, added, true);
  new Neutraliser(undefined, find).file(file);
  expect(hasExtension(file.options, added)).toBe(false);
  expect(file).toEqual(before);
});

test('pull: a Go type loses the host and owner of its module', async () => {
  const { file, find } = await nodeFile();
  const custom = find('gogoproto.customtype') as DescExtension;
  const options = create(FieldOptionsSchema);
  setExtension(options, custom, 'github.com/owner/stack-sdk/types.Int');
  const [field] = file.messageType[0]?.field ?? [];
  if (field) field.options = options;
  new Neutraliser(undefined, find).file(file);
  expect(getExtension(field?.options ?? options, custom)).toBe('stack-sdk/types.Int');
});

test('pull: an options object without an option is omitted', async () => {
  const { file, find } = await nodeFile();
  const [message] = file.messageType;
  const field = message?.field.find(({ options }) => options === undefined);
  if (field) field.options = create(FieldOptionsSchema);
  new Neutraliser(undefined, find).file(file);
  expect(field).toBeDefined();
  expect(field?.options).toBeUndefined();
});

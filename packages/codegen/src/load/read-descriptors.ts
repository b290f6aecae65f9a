import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';

const howToMake = 'make one with `protoc --include_imports -o api.binpb FILES` or `buf build -o api.binpb`';

/**
 * Reads a FileDescriptorSet as written by protoc and buf, also gzipped; `-` is standard input.
 *
 * @throws CodegenError when it cannot be read or is not a descriptor set
 */
export async function readDescriptors(folder: string, path: string): Promise<FileDescriptorSet> {
  const name = path === '-' ? 'standard input' : path;
  let bytes: Uint8Array;
  try {
    bytes = path === '-' ? await buffer(process.stdin) : await readFile(join(folder, path));
  } catch (cause) {
    throw new CodegenError(`${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
  return parseDescriptors(bytes, name);
}

/** @param name name of the bytes in messages */
export function parseDescriptors(bytes: Uint8Array, name: string): FileDescriptorSet {
  let set: FileDescriptorSet;
  try {
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    set = fromBinary(FileDescriptorSetSchema, isZipped ? gunzipSync(bytes) : bytes);
  } catch (cause) {
    throw new CodegenError(`${name} is no FileDescriptorSet (${(cause as Error).message}); ${howToMake}`, { cause });
  }
  if (set.file.length === 0) throw new CodegenError(`${name} holds no file; ${howToMake}`);
  const unnamed = set.file.findIndex((file) => file.name === '');
  if (unnamed >= 0) throw new CodegenError(`${name}: file ${unnamed} has no name; ${howToMake}`);
  for (const file of set.file) {
    // Comments and the extensions of a buf image would reach the output, which must not depend on the compiler.
    delete file.sourceCodeInfo;
    delete file.$unknown;
  }
  return set;
}

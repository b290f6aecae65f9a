import { relative, resolve } from 'node:path';

import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { runTool, scriptOfPackage } from './run-tool.js';

/**
 * Compiles folders of proto files, offline. Imports precede importers; comments are omitted.
 *
 * @param folders one, or several that import from each other
 * @throws CodegenError with file and line of a fault, or when buf is not installed
 */
export async function compileProtos(folders: string | readonly string[]): Promise<FileDescriptorSet> {
  const all = typeof folders === 'string' ? [folders] : folders;
  const buf = scriptOfBuf();
  const flags = ['--as-file-descriptor-set', '--exclude-source-info', '-o', '-'];
  const [first = '.', ...others] = all;
  const from = others.length === 0 ? first : commonFolder(all);
  const config = others.length === 0 ? [] : ['--config', workspaceOf(all, from)];
  const output = await runTool(`buf build ${all.join(' ')}`, buf, ['build', from, ...config, ...flags]);
  const set = fromBinary(FileDescriptorSetSchema, output);
  if (set.file.length === 0) throw new CodegenError(`${all.join(', ')}: there is no proto file`);
  return set;
}

/** Path of the buf script. */
function scriptOfBuf(): string {
  try {
    return scriptOfPackage('@bufbuild/buf', 'bin/buf');
  } catch (cause) {
    throw new CodegenError(
      'buf, which compiles proto files, is not installed: npm install --save-dev @bufbuild/buf. Or compile them yourself, `protoc --include_imports -o api.binpb FILES`, and give --descriptors api.binpb',
      { cause },
    );
  }
}

function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => resolve(folder).split('/'));
  const shared = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return first.slice(0, shared === -1 ? first.length : shared).join('/') || '/';
}

function workspaceOf(folders: readonly string[], from: string): string {
  const modules = folders.map((folder) => ({ path: relative(from, resolve(folder)) || '.' }));
  return JSON.stringify({ version: 'v2', modules });
}

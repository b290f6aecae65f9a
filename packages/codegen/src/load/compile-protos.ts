import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { runTool, scriptOfPackage } from './run-tool.js';

/** Compiles a folder of proto files, offline. Imports stand before importers; comments are left out. */
export async function compileProtos(folder: string): Promise<FileDescriptorSet> {
  const buf = scriptOfPackage('@bufbuild/buf', 'bin/buf');
  const args = ['build', folder, '--as-file-descriptor-set', '--exclude-source-info', '-o', '-'];
  return fromBinary(FileDescriptorSetSchema, await runTool(`buf build ${folder}`, buf, args));
}

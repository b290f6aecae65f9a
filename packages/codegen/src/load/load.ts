import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { compileProtos } from './compile-protos.js';
import { readFacts } from './facts.js';
import { readDescriptors } from './read-descriptors.js';
import { type ReadSpec, readSpecFiles } from './spec.js';

/** Everything that the output depends on. */
export interface Input extends ReadSpec {
  readonly set: FileDescriptorSet;
}

/**
 * Compiles the protos of a project (or of the project in a folder), unless their descriptors are given, and reads its
 * spec.
 *
 * @throws CodegenError when an input is wrong
 */
export async function load(where: string | Project, descriptors?: FileDescriptorSet): Promise<Input> {
  const project = typeof where === 'string' ? readProject(where) : where;
  const [set, { spec, files }] = await Promise.all([
    descriptors ?? loadDescriptors(project),
    readSpecFiles(project),
    // The facts are not used for output, but faults in them are reported here.
    readFacts(project),
  ]);
  return { set, spec, files };
}

/** Loads only the descriptors of a project. */
export async function loadDescriptors({
  folder,
  protos,
  descriptors,
  configPath,
}: Project): Promise<FileDescriptorSet> {
  if (descriptors !== undefined) return readDescriptors(folder, descriptors);
  const missing = protos.find((path) => !existsSync(join(folder, path)));
  if (missing !== undefined) {
    const where = configPath ?? folder;
    throw new CodegenError(`${where}: protos: there is no folder ${missing}; name the folders with your proto files`);
  }
  return compileProtos(protos.map((path) => join(folder, path)));
}

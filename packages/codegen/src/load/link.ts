import {
  create,
  createFileRegistry,
  type DescExtension,
  type DescFile,
  type FileRegistry,
  getExtension,
  hasExtension,
  type Message,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { checkDescriptors } from './check-descriptors.js';

/** Descriptors with every reference resolved and every option readable by name. */
export interface Linked {
  readonly set: FileDescriptorSet;
  readonly registry: FileRegistry;
  /** By path (`hub/node/v3/node.proto`). */
  readonly files: ReadonlyMap<string, DescFile>;
  /** Value of an option (`gogoproto.nullable`), or `undefined` if it is not set. */
  option(options: Message | undefined, name: string): unknown;
}

/**
 * Checks the names of a descriptor set and resolves its references. All descriptors are linked before they are read,
 * printed or emitted.
 *
 * @throws CodegenError if a name is unsafe, two files contradict each other or a reference cannot be resolved
 */
export function link(set: FileDescriptorSet): Linked {
  const ordered = create(FileDescriptorSetSchema, { file: inCompileOrder(checkDescriptors(set.file)) });
  const registry = register(ordered);
  const files = new Map<string, DescFile>();
  for (const file of registry.files) files.set(file.proto.name, file);
  const extensions = new Map<string, DescExtension>();
  for (const type of registry) if (type.kind === 'extension') extensions.set(type.typeName, type);
  return {
    set: ordered,
    registry,
    files,
    option(options, name) {
      if (options === undefined) return undefined;
      // If no file declares an option, it cannot be set.
      const extension = extensions.get(name);
      return extension && hasExtension(options, extension) ? getExtension(options, extension) : undefined;
    },
  };
}

/** @throws CodegenError if a descriptor refers to something that does not exist or is not allowed */
function register(set: FileDescriptorSet): FileRegistry {
  try {
    return createFileRegistry(set);
  } catch (cause) {
    throw new CodegenError(`the descriptors do not fit together: ${(cause as Error).message}`, { cause });
  }
}

/** Imports before importers, otherwise by path: the same order regardless of how the set was created. */
export function inCompileOrder(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const byPath = new Map(files.map((file) => [file.name, file]));
  const ordered = new Set<FileDescriptorProto>();
  const visiting = new Set<FileDescriptorProto>();
  const visit = (file: FileDescriptorProto): void => {
    if (ordered.has(file) || visiting.has(file)) return;
    visiting.add(file);
    for (const path of file.dependency) {
      const imported = byPath.get(path);
      if (!imported)
        throw new CodegenError(
          `${file.name} imports ${path}, which is not there; a descriptor set must hold all imports`,
        );
      visit(imported);
    }
    ordered.add(file);
  };
  for (const path of [...byPath.keys()].sort()) visit(byPath.get(path) as FileDescriptorProto);
  return [...ordered];
}

import {
  createFileRegistry,
  type DescExtension,
  type DescFile,
  type FileRegistry,
  getExtension,
  hasExtension,
  type Message,
} from '@bufbuild/protobuf';
import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';

/** Descriptors with every reference resolved and every option readable by name. */
export interface Linked {
  readonly set: FileDescriptorSet;
  readonly registry: FileRegistry;
  /** By path (`hub/node/v3/node.proto`). */
  readonly files: ReadonlyMap<string, DescFile>;
  /** Value of an option (`gogoproto.nullable`) or `undefined` where it is not set. */
  option(options: Message | undefined, name: string): unknown;
}

/** Resolves the references of a descriptor set. */
export function link(set: FileDescriptorSet): Linked {
  const registry = createFileRegistry(set);
  const files = new Map<string, DescFile>();
  for (const file of registry.files) files.set(file.proto.name, file);
  const extensions = new Map<string, DescExtension>();
  for (const type of registry) if (type.kind === 'extension') extensions.set(type.typeName, type);
  return {
    set,
    registry,
    files,
    option(options, name) {
      if (options === undefined) return undefined;
      const extension = extensions.get(name);
      if (extension === undefined) {
        throw new CodegenError(`proto/: no file declares the option ${name}, which the generator reads`);
      }
      return hasExtension(options, extension) ? getExtension(options, extension) : undefined;
    },
  };
}

import { createFileRegistry, create, fromBinary, type DescExtension } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

import { inCompileOrder } from '../load/link.js';
import type { NamingSpec } from '../load/spec-types.js';
import { Neutraliser } from './neutral-descriptor.js';
import { type PulledFiles, pullFiles, type PullOptions } from './pull-files.js';

export interface Pulled {
  readonly set: FileDescriptorSet;
  /** Neutral names of the services that the node lists. */
  readonly services: readonly string[];
  /** Symbols and paths asked for that the node does not know. */
  readonly unknown: readonly string[];
}

/** Reads the descriptors of a live node over reflection, also of what it does not list, and gives them neutral names. */
export async function pullDescriptors(endpoint: string, options: PullOptions): Promise<Pulled> {
  return neutralDescriptors(await pullFiles(endpoint, options), options.naming);
}

/** Gives what a node gave its neutral names. */
export function neutralDescriptors(pulled: PulledFiles, naming: NamingSpec | undefined): Pulled {
  const files = [...pulled.files.values()].map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  const options = new Map<string, DescExtension>();
  for (const type of createFileRegistry(
    create(FileDescriptorSetSchema, { file: inCompileOrder(withOptions(files)) }),
  )) {
    if (type.kind === 'extension') options.set(type.typeName, type);
  }
  const neutraliser = new Neutraliser(naming, (name) => options.get(name));
  for (const file of files) neutraliser.file(file);
  const rename = naming ? (name: string) => neutraliser.toNeutral(name) : (name: string) => name;
  return {
    set: create(FileDescriptorSetSchema, { file: files }),
    services: pulled.services.map(rename),
    unknown: pulled.unknown.map(rename),
  };
}

/** The files that declare options, and what they import: few of all, and all that reading an option needs. */
function withOptions(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const byPath = new Map(files.map((file) => [file.name, file]));
  const needed = new Set<FileDescriptorProto>();
  const need = (file: FileDescriptorProto | undefined): void => {
    if (file === undefined || needed.has(file)) return;
    needed.add(file);
    for (const path of file.dependency) need(byPath.get(path));
  };
  for (const file of files) if (file.extension.length > 0) need(file);
  return [...needed];
}

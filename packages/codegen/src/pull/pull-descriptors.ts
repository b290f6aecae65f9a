import { createFileRegistry, create, fromBinary, type DescExtension } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { checkDescriptors } from '../load/check-descriptors.js';
import { inCompileOrder } from '../load/link.js';
import type { NamingSpec } from '../load/spec-types.js';
import { renamer } from '../naming/rename.js';
import { Neutraliser } from './neutral-descriptor.js';
import { type PulledFiles, pullFiles, type PullOptions } from './pull-files.js';
import { isOfProtobuf, standardFiles } from './well-known-files.js';

export interface Pulled {
  readonly set: FileDescriptorSet;
  /** Neutral names of the services that the node lists. */
  readonly services: readonly string[];
  /** Symbols and paths asked for that the node does not know. */
  readonly unknown: readonly string[];
  /** Neutral paths that the node imports and does not give, taken from the files that were there. */
  readonly vendored: readonly string[];
  /** Services whose descriptors are not complete, and so are left out. */
  readonly failed: readonly FailedService[];
}

/** A service that the node lists and does not describe in full. */
export interface FailedService {
  readonly service: string;
  readonly why: string;
}

/**
 * Reads the descriptors of a live node over reflection, also of what it does not list, and gives them neutral names.
 *
 * @param vendored neutral files that stand in for what the node imports and does not give
 */
export async function pullDescriptors(
  endpoint: string,
  options: PullOptions,
  vendored: () => Promise<readonly FileDescriptorProto[]> = () => Promise.resolve([]),
): Promise<Pulled> {
  const pulled = await pullFiles(endpoint, options);
  const isWhole = pulled.missing === undefined || pulled.missing.length === 0;
  return neutralDescriptors(pulled, options.naming, isWhole ? [] : await vendored());
}

/**
 * Gives what a node gave its neutral names.
 *
 * @param vendored neutral files that stand in for what the node imports and does not give
 * @throws CodegenError when they are no descriptors, have names that no compiler lets through, or contradict each other
 */
export function neutralDescriptors(
  pulled: PulledFiles,
  naming: NamingSpec | undefined,
  vendored: readonly FileDescriptorProto[] = [],
): Pulled {
  try {
    return rename(pulled, naming, vendored);
  } catch (cause) {
    if (cause instanceof CodegenError) throw cause;
    // The library that reads descriptors trusts them: whatever it throws, they are at fault.
    throw new CodegenError(`the descriptors of the node cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function rename(pulled: PulledFiles, naming: NamingSpec | undefined, vendored: readonly FileDescriptorProto[]): Pulled {
  // Under the names of the node first, which are those that a person can look for there.
  const files = checkDescriptors(
    [...pulled.files.values()].map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes)),
  );
  const toWire = naming ? renamer(naming, 'file') : (path: string) => path;
  const filled = standIns(pulled, vendored, toWire);
  // Under the paths of the node, so that its imports find them.
  const aliases = filled.map((file) =>
    create(FileDescriptorProtoSchema, { ...file, name: toWire(file.name), dependency: file.dependency.map(toWire) }),
  );
  const options = new Map<string, DescExtension>();
  for (const type of createFileRegistry(
    create(FileDescriptorSetSchema, { file: inCompileOrder(withOptions(complete([...files, ...aliases]).files)) }),
  )) {
    if (type.kind === 'extension') options.set(type.typeName, type);
  }
  const neutraliser = new Neutraliser(naming, (name) => options.get(name));
  for (const file of files) neutraliser.file(file);
  const toNeutral = naming ? (name: string) => neutraliser.toNeutral(name) : (name: string) => name;
  const { files: whole, broken } = complete(checkDescriptors([...files, ...filled]));
  const services = pulled.services.map(toNeutral);
  return {
    set: create(FileDescriptorSetSchema, { file: whole }),
    services,
    unknown: pulled.unknown.map(toNeutral),
    vendored: filled.flatMap(({ name }) => (isOfProtobuf(name) ? [] : [name])).sort(),
    failed: failedServices(services, whole, broken),
  };
}

/** Files that were there, for what the node imports and does not give, with all that they import. */
function standIns(
  { files, missing = [] }: PulledFiles,
  vendored: readonly FileDescriptorProto[],
  toWire: (path: string) => string,
): FileDescriptorProto[] {
  const byWirePath = new Map([...standardFiles.values(), ...vendored].map((file) => [toWire(file.name), file]));
  const filled = new Set<FileDescriptorProto>();
  const need = (path: string): void => {
    const file = byWirePath.get(path);
    if (file === undefined || filled.has(file) || files.has(path)) return;
    filled.add(file);
    for (const imported of file.dependency) need(toWire(imported));
  };
  missing.forEach(need);
  return [...filled];
}

/** The files with all that they import, and of the others the path that is missing. */
function complete(files: readonly FileDescriptorProto[]): {
  readonly files: FileDescriptorProto[];
  readonly broken: ReadonlyMap<FileDescriptorProto, string>;
} {
  const byPath = new Map(files.map((file) => [file.name, file]));
  const broken = new Map<FileDescriptorProto, string>();
  for (let before = -1; before !== broken.size; ) {
    before = broken.size;
    for (const file of files) {
      if (broken.has(file)) continue;
      for (const path of file.dependency) {
        const imported = byPath.get(path);
        const why = imported === undefined ? path : broken.get(imported);
        if (why !== undefined) broken.set(file, why);
      }
    }
  }
  return { files: files.filter((file) => !broken.has(file)), broken };
}

function failedServices(
  services: readonly string[],
  whole: readonly FileDescriptorProto[],
  broken: ReadonlyMap<FileDescriptorProto, string>,
): FailedService[] {
  const namesIn = (file: FileDescriptorProto): string[] =>
    file.service.map(({ name }) => (file.package === '' ? name : `${file.package}.${name}`));
  const described = new Set(whole.flatMap(namesIn));
  return services
    .filter((service) => !described.has(service))
    .sort()
    .map((service) => {
      const [file, path] = [...broken].find(([each]) => namesIn(each).includes(service)) ?? [];
      const why = file ? `${file.name} needs ${path}, which the node does not give` : 'the node gives no file for it';
      return { service, why };
    });
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

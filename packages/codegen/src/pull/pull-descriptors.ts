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
  /** Requested symbols and paths that the node does not know. */
  readonly unknown: readonly string[];
  /** Neutral paths that the node imports but does not return, replaced by the existing files. */
  readonly vendored: readonly string[];
  /** Services that are omitted, because their descriptors are incomplete. */
  readonly failed: readonly FailedService[];
}

/** A service that the node lists but does not describe completely. */
export interface FailedService {
  readonly service: string;
  readonly why: string;
}

/**
 * Reads the descriptors of a live node over reflection, including those that it does not list, and gives them neutral
 * names.
 *
 * @param vendored neutral files that replace imports that the node does not return
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
 * Gives the descriptors of a node their neutral names.
 *
 * @param vendored neutral files that replace imports that the node does not return
 * @throws CodegenError when they are not descriptors, have names that no compiler accepts, or contradict each other
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
    // The library trusts descriptors: any error that it throws is a fault of the descriptors.
    throw new CodegenError(`the descriptors of the node cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function rename(pulled: PulledFiles, naming: NamingSpec | undefined, vendored: readonly FileDescriptorProto[]): Pulled {
  // Checked under the names of the node first, because a user can search for those there.
  const files = checkDescriptors(
    [...pulled.files.values()].map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes)),
  );
  const toWire = naming ? renamer(naming, 'file') : (path: string) => path;
  const filled = standIns(pulled, vendored, toWire);
  // Under the paths of the node, so that its imports resolve.
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

/** Existing files for imports that the node does not return, with all their imports. */
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

/** The files whose imports are all present; for the others, the path of the missing import. */
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

/** The files that declare options, with their imports: few files, and sufficient for reading options. */
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

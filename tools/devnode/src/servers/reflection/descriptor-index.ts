import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FileDescriptorProto,
} from '@hubwatch/types/gen/forms/google/protobuf/descriptor';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import { type DescriptorNames, renameDescriptor, wireFields } from './rename-descriptor.js';

export interface DescriptorFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly dependencies: readonly string[];
}

/** Descriptor files by name, symbol and extension, with wire names. */
export class DescriptorIndex {
  readonly #files = new Map<string, DescriptorFile>();
  readonly #symbols = new Map<string, string>();
  readonly #messages = new Set<string>();
  readonly #extensions = new Map<string, Map<number, string>>();

  /**
   * `services` are the served ones. Symbols are indexed only in files reachable from these; messages are indexed in all
   * files.
   */
  constructor(setFile: string, names: DescriptorNames, services: ReadonlySet<string>) {
    const parsed: FileDescriptorProto[] = [];
    for (const { data } of wireFields(gunzipSync(readFileSync(setFile)))) {
      const bytes = renameDescriptor(data as Buffer, names);
      const descriptor = decodeBinary(FileDescriptorProto, bytes);
      parsed.push(descriptor);
      this.#files.set(descriptor.name, { name: descriptor.name, bytes, dependencies: descriptor.dependency });
    }
    const serving = parsed.filter(({ package: pkg, service }) =>
      service.some(({ name }) => services.has(`${pkg}.${name}`)),
    );
    const reached = new Set(serving.flatMap(({ name }) => this.withImports(name).map((file) => file.name)));
    for (const descriptor of parsed) this.#add(descriptor, reached.has(descriptor.name));
  }

  file(name: string): DescriptorFile | undefined {
    return this.#files.get(name);
  }

  fileOfSymbol(symbol: string): DescriptorFile | undefined {
    return this.file(this.#symbols.get(symbol) ?? '');
  }

  fileOfExtension(type: string, no: number): DescriptorFile | undefined {
    return this.file(this.#extensions.get(type)?.get(no) ?? '');
  }

  isMessage(name: string): boolean {
    return this.#messages.has(name);
  }

  /** Extension numbers of a type, with the file that declares each. */
  extensionsOf(type: string): ReadonlyMap<number, string> {
    return this.#extensions.get(type) ?? new Map();
  }

  /** Returns the file, then its imports breadth-first. */
  withImports(name: string): DescriptorFile[] {
    const seen = new Set([name]);
    const files: DescriptorFile[] = [];
    for (const next of seen) {
      const file = this.#files.get(next);
      if (file === undefined) continue;
      files.push(file);
      // Iteration over a Set follows insertion order and includes entries added during the loop.
      for (const dependency of file.dependencies) seen.add(dependency);
    }
    return files;
  }

  #add(file: FileDescriptorProto, served: boolean): void {
    const scope = file.package;
    const symbol = (name: string): void => {
      if (served) this.#symbols.set(name, file.name);
    };
    for (const message of file.messageType) this.#addMessage(message, scope, file.name, symbol);
    for (const each of file.enumType) addEnum(each, scope, symbol);
    for (const service of file.service) {
      symbol(`${scope}.${service.name}`);
      for (const method of service.method) symbol(`${scope}.${service.name}.${method.name}`);
    }
    for (const extension of file.extension) this.#addExtension(extension, scope, file.name, symbol);
  }

  #addMessage(message: DescriptorProto, scope: string, file: string, symbol: (name: string) => void): void {
    const name = `${scope}.${message.name}`;
    this.#messages.add(name);
    this.#symbols.set(name, file);
    for (const field of message.field) symbol(`${name}.${field.name}`);
    for (const oneof of message.oneofDecl) symbol(`${name}.${oneof.name}`);
    for (const nested of message.nestedType) this.#addMessage(nested, name, file, symbol);
    for (const each of message.enumType) addEnum(each, name, symbol);
    for (const extension of message.extension) this.#addExtension(extension, name, file, symbol);
  }

  #addExtension(extension: FieldDescriptorProto, scope: string, file: string, symbol: (name: string) => void): void {
    symbol(`${scope}.${extension.name}`);
    const type = extension.extendee.replace(/^\./, '');
    const numbers = this.#extensions.get(type) ?? new Map<number, string>();
    numbers.set(extension.number, file);
    this.#extensions.set(type, numbers);
  }
}

function addEnum(each: EnumDescriptorProto, scope: string, symbol: (name: string) => void): void {
  const name = `${scope}.${each.name}`;
  symbol(name);
  for (const value of each.value) symbol(`${name}.${value.name}`);
}

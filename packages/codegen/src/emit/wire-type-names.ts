import { clone } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

import { isReserved } from '../naming/reserved.js';

/** Names that ts-proto itself declares or uses in a file. */
const ownNames =
  /^(?:protobufPackage|MessageFns|Builtin|DeepPartial|KeysOfUnion|Exact|Binary(?:Reader|Writer)|Long|Buffer|UNRECOGNIZED|(?:long|bytes|base64|is|to|from|create(?:Base)?)[A-Z]\w*)(?<!UnderscoreMark)$/;

/** Placeholder for the `_` after a renamed name, because ts-proto removes underscores. */
const mark = 'UnderscoreMark';

export interface DeclarableFiles {
  readonly files: readonly FileDescriptorProto[];
  /** Turns the text of an output file into the final one. */
  finish(text: string): string;
}

/**
 * Renames declarations so that ts-proto can declare them. A message, enum or value gets `_` appended if its name is
 * already taken: by a global of the language, by ts-proto itself or by another type of its file. The wire types write
 * no JSON, so these names do not affect the wire.
 */
export function withDeclarableNames(files: readonly FileDescriptorProto[]): DeclarableFiles {
  const renamed = new Map<string, string>();
  const copies = files.map((file) => {
    const copy = clone(FileDescriptorProtoSchema, file);
    new FileNames(copy, renamed).apart();
    return copy;
  });
  for (const file of copies)
    for (const holder of referencesIn(file)) holder.rename((name) => renamed.get(name) ?? name);
  return { files: copies, finish: (text) => text.replaceAll(mark, '_') };
}

/** ts-proto's own rule: `Node_Price` → `NodePrice`. */
function toTypeName(name: string): string {
  if (!name.includes('_')) return name;
  const hasLowerCase = /[a-z]/.test(name);
  return name
    .split('_')
    .map((word) => (hasLowerCase ? word : word.toLowerCase()))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

class FileNames {
  readonly #file: FileDescriptorProto;
  /** Full name with a leading dot, as in references → the new one. */
  readonly #renamed: Map<string, string>;
  readonly #taken = new Set<string>();

  constructor(file: FileDescriptorProto, renamed: Map<string, string>) {
    this.#file = file;
    this.#renamed = renamed;
  }

  apart(): void {
    const { package: packageName, messageType, enumType } = this.#file;
    const scope = packageName === '' ? '' : `.${packageName}`;
    for (const type of enumType) this.#enum(type, { old: scope, now: scope, prefix: '' });
    for (const message of messageType) this.#message(message, { old: scope, now: scope, prefix: '' });
  }

  #message(message: DescriptorProto, outer: Scope): void {
    const scope = this.#name(message, outer);
    const members = [...message.field, ...message.oneofDecl];
    const taken = new Set(members.map(({ name }) => toTypeName(name)));
    for (const member of members) {
      if (/^[A-Za-z_$]/.test(toTypeName(member.name))) continue;
      // `_1` would be declared as `1`, and `_` as an empty name.
      member.name = `${mark}${member.name.replace(/^_+/, '')}`;
      while (taken.has(member.name)) member.name += mark;
      taken.add(member.name);
    }
    for (const type of message.enumType) this.#enum(type, scope);
    for (const nested of message.nestedType) this.#message(nested, scope);
  }

  #enum(type: EnumDescriptorProto, outer: Scope): void {
    this.#name(type, outer);
    const taken = new Set(['UNRECOGNIZED', '__proto__', ...type.value.map(({ name }) => name)]);
    for (const value of type.value) {
      const { name } = value;
      if (name !== 'UNRECOGNIZED' && name !== '__proto__' && !isReserved(name)) continue;
      while (taken.has(value.name)) value.name += '_';
      taken.add(value.name);
    }
  }

  #name(type: { name: string }, { old, now, prefix }: Scope): Scope {
    const before = type.name;
    const declared = (): string => `${prefix}${toTypeName(type.name)}`;
    // ts-proto declares a function for each message that creates it empty. The mark is compared in its final form.
    const both = (): string[] => [declared(), `createBase${declared()}`].map((name) => name.replaceAll(mark, '_'));
    const isTaken = (): boolean => both().some((name) => this.#taken.has(name));
    // `_1` would be declared as `1`, and `_` as an empty name.
    if (!/^[A-Za-z_$]/.test(declared())) type.name = `${mark}${type.name.replace(/^_+/, '')}`;
    while (isReserved(declared()) || ownNames.test(declared()) || isTaken()) type.name += mark;
    for (const name of both()) this.#taken.add(name);
    const scope = { old: `${old}.${before}`, now: `${now}.${type.name}`, prefix: `${declared()}_` };
    if (scope.old !== scope.now) this.#renamed.set(scope.old, scope.now);
    return scope;
  }
}

interface Scope {
  readonly old: string;
  readonly now: string;
  /** Prefix of the names that ts-proto declares for nested types. */
  readonly prefix: string;
}

interface Reference {
  rename(change: (name: string) => string): void;
}

function* referencesIn(file: FileDescriptorProto): Generator<Reference> {
  for (const field of [...file.extension, ...fieldsIn(file.messageType)]) {
    yield {
      rename: (change) => {
        field.typeName = change(field.typeName);
        field.extendee = change(field.extendee);
      },
    };
  }
  for (const method of file.service.flatMap((service) => service.method)) {
    yield {
      rename: (change) => {
        method.inputType = change(method.inputType);
        method.outputType = change(method.outputType);
      },
    };
  }
}

function* fieldsIn(messages: readonly DescriptorProto[]): Generator<DescriptorProto['field'][number]> {
  for (const message of messages) {
    yield* message.field;
    yield* message.extension;
    yield* fieldsIn(message.nestedType);
  }
}

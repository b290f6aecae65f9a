import {
  type DescExtension,
  type DescMessage,
  getExtension,
  hasExtension,
  type Message,
  type MessageShape,
  setExtension,
} from '@bufbuild/protobuf';
import type {
  DescriptorProto,
  EnumDescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { FileOptionsSchema } from '@bufbuild/protobuf/wkt';

import type { NamingSpec } from '../load/spec-types.js';
import { invert, type NameKind, renamer } from '../naming/rename.js';

type Rename = (name: string) => string;

/** Finds an option by its wire name; `undefined` if no pulled file declares it. */
export type FindOption = (wireName: string) => DescExtension | undefined;

/** Options whose text is a name, by neutral name. */
const optionKinds: Readonly<Record<string, NameKind | 'go'>> = {
  'stack_proto.implements_interface': 'type',
  'stack_proto.accepts_interface': 'type',
  'stack_proto.scalar': 'type',
  'amino.name': 'amino',
  'gogoproto.customtype': 'go',
  'gogoproto.casttype': 'go',
  'gogoproto.castrepeated': 'go',
};

/** Options that Go's code generator adds to its output and that are not in the source. */
const addedByGo = ['marshaler', 'unmarshaler', 'sizer', 'goproto_unrecognized', 'goproto_sizecache', 'goproto_unkeyed'];

/** Converts the descriptors of a node to the neutral names of this project; without a profile, names are unchanged. */
export class Neutraliser {
  readonly #rename: Readonly<Record<NameKind, Rename>>;
  readonly #toWire: Rename;
  readonly #find: FindOption;
  readonly #named: readonly { readonly extension: DescExtension; readonly rename: Rename }[];

  constructor(naming: NamingSpec | undefined, find: FindOption) {
    const inverse = naming && invert(naming);
    const of = (kind: NameKind): Rename => (inverse ? renamer(inverse, kind) : (name) => name);
    const kinds: NameKind[] = ['type', 'file', 'route', 'event', 'header', 'member', 'amino', 'tag'];
    this.#rename = Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<NameKind, Rename>;
    this.#toWire = naming ? renamer(naming, 'type') : (name) => name;
    this.#find = find;
    const named = Object.entries(optionKinds).flatMap(([neutral, kind]) => {
      const extension = find(this.#toWire(neutral));
      if (extension === undefined) return [];
      const rename = kind === 'go' ? (text: string) => goType(text, this.#rename.amino) : this.#rename[kind];
      return [{ extension, rename }];
    });
    this.#named = named;
  }

  toNeutral(typeName: string): string {
    return this.#rename.type(typeName);
  }

  /** Renames in place, and removes data that does not affect the wire. */
  file(file: FileDescriptorProto): void {
    this.#clean(file);
    file.name = this.#rename.file(file.name);
    file.package = this.#rename.type(file.package);
    file.dependency = file.dependency.map(this.#rename.file);
    delete file.sourceCodeInfo;
    for (const message of file.messageType) this.#message(message);
    for (const type of file.enumType) this.#enum(type);
    for (const extension of file.extension) this.#field(extension);
    for (const service of file.service) {
      dropEmpty(service);
      for (const method of service.method) {
        method.inputType = this.#rename.type(method.inputType);
        method.outputType = this.#rename.type(method.outputType);
        this.#route(method.options);
        dropEmpty(method);
      }
    }
  }

  #message(message: DescriptorProto): void {
    message.name = this.#rename.type(message.name);
    this.#texts(message.options);
    dropEmpty(message);
    for (const field of [...message.field, ...message.extension]) this.#field(field);
    for (const nested of message.nestedType) this.#message(nested);
    for (const type of message.enumType) this.#enum(type);
  }

  #enum(type: EnumDescriptorProto): void {
    type.name = this.#rename.type(type.name);
    dropEmpty(type);
    type.value.forEach(dropEmpty);
  }

  #field(field: FieldDescriptorProto): void {
    field.name = this.#rename.member(field.name);
    if (field.jsonName !== '') field.jsonName = this.#rename.member(field.jsonName);
    if (field.typeName !== '') field.typeName = this.#rename.type(field.typeName);
    if (field.extendee !== '') field.extendee = this.#rename.type(field.extendee);
    this.#texts(field.options);
    dropEmpty(field);
  }

  /** The language options concern the node's own program. */
  #clean(file: FileDescriptorProto): void {
    const { options } = file;
    if (!options) return;
    for (const field of FileOptionsSchema.fields) {
      if (/^(?:go|java|csharp|objc|php|ruby|swift|cc|py)_|^optimize_for$/.test(field.name))
        clear(options, field.number, field.localName);
    }
    for (const name of addedByGo) {
      const extension = this.#find(`gogoproto.${name}_all`);
      if (extension) clear(options, extension.number);
    }
    dropEmpty(file);
  }

  #texts(options: Message | undefined): void {
    if (!options?.$unknown) return;
    for (const { extension, rename } of this.#named) {
      if (!options.$unknown.some(({ no }) => no === extension.number) || !hasExtension(options, extension)) continue;
      const value = getExtension(options, extension) as string | string[];
      const renamed = typeof value === 'string' ? rename(value) : value.map(rename);
      if (String(renamed) !== String(value)) setExtension(options, extension, renamed as never);
    }
  }

  #route(options: Message | undefined): void {
    const extension = this.#find('google.api.http');
    if (!options?.$unknown || !extension || !hasExtension(options, extension)) return;
    const rule = getExtension(options, extension) as HttpRule;
    this.#rule(rule);
    setExtension(options, extension, rule as MessageShape<DescMessage>);
  }

  #rule(rule: HttpRule): void {
    const { pattern } = rule;
    if (typeof pattern.value === 'string') pattern.value = this.#rename.route(pattern.value);
    for (const further of rule.additionalBindings) this.#rule(further);
  }
}

interface HttpRule extends Message {
  readonly pattern: { value?: unknown };
  readonly additionalBindings: HttpRule[];
}

/** A Go type without the host and owner of its module. */
function goType(text: string, rename: Rename): string {
  return rename(text.replace(/^[\w.-]+\.(?:com|org|io)\/(?:[\w.-]+\/)?(?=[\w-]+\/)/, ''));
}

function clear(options: Message, no: number, member?: string): void {
  if (member !== undefined) Reflect.deleteProperty(options, member);
  if (options.$unknown) options.$unknown = options.$unknown.filter((field) => field.no !== no);
}

function dropEmpty(holder: { options?: Message | undefined }): void {
  const { options } = holder;
  if (!options || (options.$unknown ?? []).length > 0) return;
  const isEmpty = Object.entries(options).every(
    ([name, value]) => name.startsWith('$') || value === undefined || (Array.isArray(value) && value.length === 0),
  );
  if (isEmpty) delete holder.options;
}

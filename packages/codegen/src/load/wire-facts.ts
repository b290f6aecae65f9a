import {
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescService,
  isFieldSet,
  toJson,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  MessageOptionsSchema,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt';

import type { Linked } from './link.js';
import type { OptionsSpec } from './spec-types.js';

/** A fact that a client can observe in a request or response, with the file that declares it. */
export interface WireFact {
  readonly file: string;
  readonly text: string;
}

/** Facts by kind and full name, `field hub.node.v3.Node.address`. */
export type WireFacts = ReadonlyMap<string, WireFact>;

/**
 * Facts of a descriptor set that affect the bytes and JSON texts on the wire: names, numbers, types, labels, order of
 * fields, routes, and the options that determine the encoding. Omits facts that only affect the node's own program:
 * language options, paths of Go packages, imports, reserved names, and which file of a package contains a declaration.
 *
 * @param options names of the options to which a spec gives a meaning
 */
export function wireFactsOf(linked: Linked, options: OptionsSpec = {}): WireFacts {
  const reader = new WireReader(linked, options);
  for (const [path, file] of linked.files) if (!isOfLanguage(path)) reader.file(file);
  return reader.facts;
}

/** Files that describe descriptors; their content depends on the compiler, and no message of a node uses them. */
function isOfLanguage(path: string): boolean {
  return /^google\/protobuf\/(?:descriptor|compiler\/plugin|\w+_features)\.proto$/.test(path);
}

/** Options of the language that change the encoding. */
const languageOptions = ['packed', 'features', 'messageSetWireFormat', 'mapEntry'];

/** Options of the Go generator that change the output of a node. The others change only its source. */
const goOptions = ['nullable', 'customtype', 'casttype', 'jsontag', 'embed'].map((name) => `gogoproto.${name}`);

class WireReader {
  readonly facts = new Map<string, WireFact>();
  readonly #linked: Linked;
  readonly #counted: ReadonlySet<string>;

  constructor(linked: Linked, options: OptionsSpec) {
    this.#linked = linked;
    const { accepts_interface: accepts, implements_interface: implementsOne, decimal_text: text, signers } = options;
    this.#counted = new Set([
      ...languageOptions,
      ...[...goOptions, 'google.api.http'].map(extensionKey),
      ...[accepts, implementsOne, text?.option, signers].flatMap((name) =>
        name === undefined ? [] : [extensionKey(name)],
      ),
    ]);
  }

  file(file: DescFile): void {
    const packageName = file.proto.package;
    if (packageName !== '') this.#set(`package ${packageName}`, file, 'declared');
    for (const message of file.messages) this.#message(message);
    for (const type of file.enums) this.#enum(type);
    for (const service of file.services) this.#service(service);
  }

  #set(name: string, { name: path }: DescFile, text: string): void {
    this.facts.set(name, { file: `${path}.proto`, text });
  }

  #message(message: DescMessage): void {
    const { typeName, file } = message;
    const edition = file.proto.syntax === '' ? 'proto2' : file.proto.syntax;
    this.#set(`message ${typeName}`, file, `${edition}${this.#options(MessageOptionsSchema, message.proto.options)}`);
    for (const field of message.fields) this.#field(field);
    // After the fields, so that a missing one is reported before the order that it changes.
    this.#set(`order of fields in ${typeName}`, file, message.fields.map(({ name }) => name).join(' '));
    for (const { name } of message.oneofs) this.#set(`oneof ${typeName}.${name}`, file, 'declared');
    for (const nested of message.nestedMessages) this.#message(nested);
    for (const type of message.nestedEnums) this.#enum(type);
  }

  #field(field: DescField): void {
    const { proto, parent } = field;
    const oneof = field.oneof === undefined ? '' : `, oneof ${field.oneof.name}`;
    const json = `, JSON ${proto.jsonName === '' ? defaultJsonName(proto.name) : proto.jsonName}`;
    const isDefault = isFieldSet(proto, FieldDescriptorProtoSchema.field.defaultValue);
    const text = [
      `number ${field.number}, type ${proto.type} ${proto.typeName.replace(/^\./, '')}, label ${proto.label}`,
      `presence ${field.presence}${json}${oneof}`,
      ...(isDefault ? [`default ${JSON.stringify(proto.defaultValue)}`] : []),
    ].join(', ');
    const options = this.#options(FieldOptionsSchema, proto.options);
    this.#set(`field ${parent.typeName}.${field.name}`, parent.file, `${text}${options}`);
  }

  #enum(type: DescEnum): void {
    this.#set(`enum ${type.typeName}`, type.file, type.open ? 'open' : 'closed');
    for (const { name, number } of type.values) {
      this.#set(`enum value ${type.typeName}.${name}`, type.file, `number ${number}`);
    }
  }

  #service(service: DescService): void {
    this.#set(`service ${service.typeName}`, service.file, 'declared');
    for (const { name, input, output, methodKind, proto } of service.methods) {
      const text = `takes ${input.typeName}, gives ${output.typeName}, ${methodKind.replaceAll('_', ' ')}`;
      const options = this.#options(MethodOptionsSchema, proto.options);
      this.#set(`method ${service.typeName}/${name}`, service.file, `${text}${options}`);
    }
  }

  #options(schema: Parameters<typeof toJson>[0], options: Parameters<typeof toJson>[1] | undefined): string {
    if (options === undefined) return '';
    const json = toJson(schema, options, { registry: this.#linked.registry }) as Record<string, unknown>;
    const counted = Object.keys(json)
      .filter((name) => this.#counted.has(name) || name.startsWith('[amino.'))
      .sort()
      .map((name) => `${name}=${JSON.stringify(isGoType(name) ? withoutPackage(String(json[name])) : json[name])}`);
    return counted.length === 0 ? '' : `, options ${counted.join(' ')}`;
  }
}

/** Default that compilers insert; a descriptor need not contain it. */
function defaultJsonName(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}

/** Name of an extension in the JSON of options. */
function extensionKey(name: string): string {
  return `[${name}]`;
}

function isGoType(name: string): boolean {
  return name === extensionKey('gogoproto.customtype') || name === extensionKey('gogoproto.casttype');
}

/** `Int` for `cosmossdk.io/math.Int`: other builds import the same type from other paths. */
function withoutPackage(type: string): string {
  return type.slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf('/')) + 1);
}

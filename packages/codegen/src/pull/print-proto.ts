import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescOneof,
  type DescService,
  isFieldSet,
} from '@bufbuild/protobuf';
import {
  EnumOptionsSchema,
  EnumValueOptionsSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileOptionsSchema,
  MessageOptionsSchema,
  MethodOptionsSchema,
  ServiceOptionsSchema,
} from '@bufbuild/protobuf/wkt';

import { toCamelCase } from '../naming/case.js';
import { type FindExtension, indent, type PrintedOption, printOptions, quoteProto } from './print-options.js';
import { typeReference, type DeclaredNames } from './type-reference.js';

const wholeRange = 536_870_911;

/** Source text of a descriptor: unchanged by `buf format`, and it compiles to the same descriptor. */
export function printProto(file: DescFile, names: DeclaredNames, find: FindExtension): string {
  return new ProtoPrinter(file, names, find).print();
}

class ProtoPrinter {
  readonly #file: DescFile;
  readonly #names: DeclaredNames;
  readonly #find: FindExtension;

  constructor(file: DescFile, names: DeclaredNames, find: FindExtension) {
    this.#file = file;
    this.#names = names;
    this.#find = find;
  }

  print(): string {
    const { proto } = this.#file;
    const isPublic = (at: number): string => (proto.publicDependency.includes(at) ? 'public ' : '');
    const imports = proto.dependency.map((path, at) => `import ${isPublic(at)}${quoteProto(path)};`);
    const options = printOptions(FileOptionsSchema, proto.options, this.#find).map(optionStatement).sort();
    const blocks = [
      `syntax = "${proto.syntax || 'proto2'}";`,
      ...(proto.package ? [`package ${proto.package};`] : []),
      ...(imports.length > 0 ? [imports.join('\n')] : []),
      ...(options.length > 0 ? [options.join('\n')] : []),
      ...this.#file.services.map((service) => this.#service(service)),
      ...this.#file.messages.map((message) => this.#message(message)),
      ...this.#file.enums.map((type) => this.#enum(type)),
      ...this.#extensions(this.#file.extensions),
    ];
    return `${blocks.join('\n\n')}\n`;
  }

  #service(service: DescService): string {
    const options = printOptions(ServiceOptionsSchema, service.proto.options, this.#find).map(optionStatement);
    return block(`service ${service.name}`, [...options, ...service.methods.map((method) => this.#method(method))]);
  }

  #method({ proto, input, output, parent }: DescMethod): string {
    const from = `${proto.clientStreaming ? 'stream ' : ''}${this.#reference(input.typeName, parent.typeName)}`;
    const to = `${proto.serverStreaming ? 'stream ' : ''}${this.#reference(output.typeName, parent.typeName)}`;
    const options = printOptions(MethodOptionsSchema, proto.options, this.#find).map(optionStatement);
    const head = `rpc ${proto.name}(${from}) returns (${to})`;
    return options.length === 0 ? `${head};` : block(head, options);
  }

  #message(message: DescMessage): string {
    const { proto } = message;
    const oneofs = new Set<DescOneof>();
    const fields = message.fields.flatMap((field): string[] => {
      // An `optional` of proto3 has a synthetic oneof that is not in the source.
      if (!field.oneof || field.proto.proto3Optional) return [this.#field(field)];
      if (oneofs.has(field.oneof)) return [];
      oneofs.add(field.oneof);
      return [
        block(
          `oneof ${field.oneof.name}`,
          field.oneof.fields.map((each) => this.#field(each)),
        ),
      ];
    });
    const ranges = proto.extensionRange.map(({ start, end }) => `extensions ${range(start, end - 1)};`);
    const reserved = proto.reservedRange.map(({ start, end }) => range(start, end - 1));
    return block(`message ${message.name}`, [
      ...printOptions(MessageOptionsSchema, proto.options, this.#find).map(optionStatement),
      ...(reserved.length > 0 ? [`reserved ${reserved.join(', ')};`] : []),
      ...(proto.reservedName.length > 0 ? [`reserved ${proto.reservedName.map(quoteProto).join(', ')};`] : []),
      ...ranges,
      ...message.nestedMessages.map((nested) => this.#message(nested)),
      ...message.nestedEnums.map((type) => this.#enum(type)),
      ...this.#extensions(message.nestedExtensions),
      ...fields,
    ]);
  }

  #extensions(extensions: readonly DescExtension[]): string[] {
    const byExtendee = new Map<string, DescExtension[]>();
    for (const extension of extensions) {
      const name = extension.extendee.typeName;
      byExtendee.set(name, [...(byExtendee.get(name) ?? []), extension]);
    }
    return [...byExtendee].map(([name, group]) =>
      block(
        `extend ${this.#reference(name, this.#file.proto.package)}`,
        group.map((extension) => this.#field(extension)),
      ),
    );
  }

  #field(field: DescField | DescExtension): string {
    const { proto } = field;
    const scope = field.kind === 'field' ? field.parent.typeName : this.#file.proto.package;
    const label = this.#label(field);
    const options: PrintedOption[] = [];
    if (isFieldSet(proto, FieldDescriptorProtoSchema.field.defaultValue)) {
      options.push({ name: 'default', value: defaultOf(proto) });
    }
    if (field.kind === 'field' && proto.jsonName !== '' && proto.jsonName !== toCamelCase(proto.name)) {
      options.push({ name: 'json_name', value: quoteProto(proto.jsonName) });
    }
    options.push(...printOptions(FieldOptionsSchema, proto.options, this.#find));
    return `${label}${this.#type(field, scope)} ${proto.name} = ${proto.number}${optionList(options)};`;
  }

  #label(field: DescField | DescExtension): string {
    const { label, proto3Optional } = field.proto;
    if (field.fieldKind === 'map') return '';
    if (label === Label.REPEATED) return 'repeated ';
    if (label === Label.REQUIRED) return 'required ';
    const inOneof = field.kind === 'field' && field.oneof !== undefined;
    return proto3Optional || (!this.#isProto3 && !inOneof) ? 'optional ' : '';
  }

  get #isProto3(): boolean {
    return this.#file.proto.syntax === 'proto3';
  }

  #type(field: DescField | DescExtension, scope: string): string {
    if (field.fieldKind === 'map') {
      const value = field.message ?? field.enum;
      const text = value ? this.#reference(value.typeName, scope) : scalarName(field.scalar as number);
      return `map<${scalarName(field.mapKey)}, ${text}>`;
    }
    const type = field.message ?? field.enum;
    return type ? this.#reference(type.typeName, scope) : scalarName(field.proto.type);
  }

  #reference(typeName: string, scope: string): string {
    return typeReference(typeName, scope, this.#file.proto.package, this.#names);
  }

  #enum(type: DescEnum): string {
    const { proto } = type;
    const reserved = proto.reservedRange.map(({ start, end }) => range(start, end));
    return block(`enum ${type.name}`, [
      ...printOptions(EnumOptionsSchema, proto.options, this.#find).map(optionStatement),
      ...(reserved.length > 0 ? [`reserved ${reserved.join(', ')};`] : []),
      ...(proto.reservedName.length > 0 ? [`reserved ${proto.reservedName.map(quoteProto).join(', ')};`] : []),
      ...type.values.map(
        ({ name, number, proto: value }) =>
          `${name} = ${number}${optionList(printOptions(EnumValueOptionsSchema, value.options, this.#find))};`,
      ),
    ]);
  }
}

function defaultOf({ type, defaultValue }: DescField['proto']): string {
  if (type === Type.STRING) return quoteProto(defaultValue);
  if (type !== Type.BYTES) return defaultValue;
  // Compilers write the bytes with escapes of the language; an unescaped quote would end the literal.
  return `"${defaultValue.replace(/\\[\s\S]|["\n\r]/g, (part) => (part.startsWith('\\') ? part : part === '"' ? '\\"' : ''))}"`;
}

function scalarName(type: number): string {
  return (Type[type] ?? '').toLowerCase();
}

function range(start: number, last: number): string {
  if (start === last) return String(start);
  return `${start} to ${last >= wholeRange ? 'max' : last}`;
}

function block(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${head} {}` : `${head} {\n${indent(lines.join('\n'))}\n}`;
}

function optionStatement({ name, value }: PrintedOption): string {
  return `option ${name} = ${value};`;
}

/** A single option is on the line of its field, several on a line each. */
function optionList(options: readonly PrintedOption[]): string {
  const [first] = options;
  if (!first) return '';
  if (options.length === 1) return ` [${first.name} = ${first.value}]`;
  return ` [\n${indent(options.map(({ name, value }) => `${name} = ${value}`).join(',\n'))}\n]`;
}

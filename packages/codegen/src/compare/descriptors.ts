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
  EnumOptionsSchema,
  EnumValueOptionsSchema,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  type FileDescriptorSet,
  FileOptionsSchema,
  MessageOptionsSchema,
  MethodOptionsSchema,
  OneofOptionsSchema,
  ServiceOptionsSchema,
} from '@bufbuild/protobuf/wkt';

import { link, type Linked } from '../load/link.js';

/** One fact that differs between two descriptor sets. */
export interface DescriptorDifference {
  /** Full name of the file, message, field, enum, value, service or method. */
  readonly name: string;
  readonly what: string;
}

/** Facts of a descriptor set, by kind and full name (`field hub.node.v3.Node.addr`). */
export type DescriptorFacts = ReadonlyMap<string, string>;

/** Names of the two sides of a comparison in its messages. */
export interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Compares two descriptor sets fact by fact: names, numbers, types, labels, options, and the order of imports in files
 * and of declarations in messages.
 */
export function compareDescriptors(
  ours: FileDescriptorSet,
  theirs: FileDescriptorSet,
  names?: SideNames,
): DescriptorDifference[] {
  return compareFacts(factsOf(ours), factsOf(theirs), names);
}

/** The comparison itself, for callers that compare one set with many others. */
export function compareFacts(
  ours: DescriptorFacts,
  theirs: DescriptorFacts,
  names: SideNames = { ours: 'proto/', theirs: 'the node' },
): DescriptorDifference[] {
  const differences: DescriptorDifference[] = [];
  for (const [name, fact] of theirs) {
    const our = ours.get(name);
    if (our === undefined) differences.push({ name, what: `is in ${names.theirs} (${fact}) and not in ${names.ours}` });
    else if (our !== fact) differences.push({ name, what: `${names.ours} has ${our}, ${names.theirs} has ${fact}` });
  }
  for (const [name, fact] of ours) {
    if (!theirs.has(name)) differences.push({ name, what: `is in ${names.ours} (${fact}) and not in ${names.theirs}` });
  }
  return differences;
}

/** All facts of a descriptor set. */
export function factsOf(set: FileDescriptorSet): DescriptorFacts {
  const linked = link(set);
  const facts = new Map<string, string>();
  for (const file of linked.files.values()) addFile(file, linked, facts);
  return facts;
}

function addFile(file: DescFile, linked: Linked, facts: Map<string, string>): void {
  const { proto } = file;
  const options = optionText(FileOptionsSchema, proto.options, linked);
  facts.set(`file ${proto.name}`, `package ${proto.package}, ${proto.syntax || 'proto2'}${options}`);
  facts.set(`imports of ${proto.name}`, proto.dependency.join(' '));
  for (const message of file.messages) addMessage(message, linked, facts);
  for (const type of file.enums) addEnum(type, linked, facts);
  for (const service of file.services) addService(service, linked, facts);
  for (const extension of file.extensions) {
    facts.set(`extension ${extension.typeName}`, `${extension.extendee.typeName} ${fieldText(extension.proto)}`);
  }
}

function addMessage(message: DescMessage, linked: Linked, facts: Map<string, string>): void {
  const { proto } = message;
  const declares = proto.field.map(({ name }) => name).join(' ');
  facts.set(`message ${message.typeName}`, `declared${optionText(MessageOptionsSchema, proto.options, linked)}`);
  facts.set(
    `reserved by ${message.typeName}`,
    [...proto.reservedName, ...proto.reservedRange.map(({ start, end }) => `${start}-${end}`)].join(' '),
  );
  for (const field of message.fields) addField(field, linked, facts);
  // After the fields, so that a missing one is reported before the order that it changes.
  facts.set(`order of fields in ${message.typeName}`, declares);
  for (const oneof of message.oneofs) {
    facts.set(
      `oneof ${message.typeName}.${oneof.name}`,
      `declared${optionText(OneofOptionsSchema, oneof.proto.options, linked)}`,
    );
  }
  for (const nested of message.nestedMessages) addMessage(nested, linked, facts);
  for (const type of message.nestedEnums) addEnum(type, linked, facts);
}

function fieldText(proto: DescField['proto']): string {
  // 0 is the first oneof; a field without one has no index.
  const oneof = isFieldSet(proto, FieldDescriptorProtoSchema.field.oneofIndex) ? `, oneof ${proto.oneofIndex}` : '';
  const json = proto.jsonName === '' ? '' : `, JSON ${proto.jsonName}`;
  return `number ${proto.number}, type ${proto.type} ${proto.typeName}, label ${proto.label}${json}${oneof}`;
}

function addField(field: DescField, linked: Linked, facts: Map<string, string>): void {
  const options = optionText(FieldOptionsSchema, field.proto.options, linked);
  facts.set(`field ${field.parent.typeName}.${field.name}`, `${fieldText(field.proto)}${options}`);
}

function addEnum(type: DescEnum, linked: Linked, facts: Map<string, string>): void {
  facts.set(`enum ${type.typeName}`, `declared${optionText(EnumOptionsSchema, type.proto.options, linked)}`);
  for (const { name, proto } of type.values) {
    facts.set(
      `enum value ${type.typeName}.${name}`,
      `number ${proto.number}${optionText(EnumValueOptionsSchema, proto.options, linked)}`,
    );
  }
}

function addService(service: DescService, linked: Linked, facts: Map<string, string>): void {
  facts.set(
    `service ${service.typeName}`,
    `declared${optionText(ServiceOptionsSchema, service.proto.options, linked)}`,
  );
  for (const { name, proto } of service.methods) {
    const stream = `${proto.clientStreaming ? ', client streams' : ''}${proto.serverStreaming ? ', server streams' : ''}`;
    facts.set(
      `method ${service.typeName}/${name}`,
      `takes ${proto.inputType}, gives ${proto.outputType}${stream}${optionText(MethodOptionsSchema, proto.options, linked)}`,
    );
  }
}

type OptionsSchema = Parameters<typeof toJson>[0];

/** Options with their extensions, by name. */
function optionText(schema: OptionsSchema, options: Parameters<typeof toJson>[1] | undefined, linked: Linked): string {
  if (options === undefined) return '';
  const json = toJson(schema, options, { registry: linked.registry }) as Record<string, unknown>;
  const sorted = Object.keys(json)
    .sort()
    .map((name) => `${name}=${JSON.stringify(json[name])}`);
  return sorted.length === 0 ? '' : `, options ${sorted.join(' ')}`;
}

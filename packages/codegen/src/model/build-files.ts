import type { DescEnum, DescField, DescFile, DescMessage } from '@bufbuild/protobuf';

import { CodegenError } from '../codegen-error.js';
import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Carries, Spec } from '../load/spec-types.js';
import { toCamelCase } from '../naming/case.js';
import { NamesInScope } from '../naming/reserved.js';
import { interfacesOf } from './build-interfaces.js';
import { docOfField, docOfMessage } from './docs.js';
import { fieldKind, isAlways, isGroup, isOptional, messageShape, scalarKind } from './field-kind.js';
import type { FieldShape } from './field.js';
import type { EnumModel, FieldModel, FileModel, MessageModel, ValueModel } from './model.js';
import { isTypedEvent, reachedFiles } from './reach.js';
import { ownValue } from '../own-value.js';

/** The messages and enums of every reachable file. */
export function buildFiles(linked: Linked, spec: Spec): FileModel[] {
  return reachedFiles(linked, spec).map((file) => buildFile(file, linked, spec));
}

function buildFile(file: DescFile, linked: Linked, spec: Spec): FileModel {
  const messages: MessageModel[] = [];
  const names = new NamesInScope();
  const enums: EnumModel[] = file.enums.map((type) => buildEnum(type, names, spec));
  const add = (message: DescMessage): void => {
    messages.push(buildMessage(message, names, linked, spec));
    enums.push(...message.nestedEnums.map((type) => buildEnum(type, names, spec)));
    message.nestedMessages.forEach(add);
  };
  file.messages.forEach(add);
  return { path: file.name, package: file.proto.package, enums, messages };
}

/** `Outer.Inner` of a package as `Outer_Inner`. */
function localName(type: DescMessage | DescEnum): string {
  const { package: name } = type.file.proto;
  return (name === '' ? type.typeName : type.typeName.slice(name.length + 1)).replaceAll('.', '_');
}

function buildEnum(type: DescEnum, names: NamesInScope, spec: Spec): EnumModel {
  const texts = ownValue(spec.enums.texts, type.typeName);
  const values = type.values.map(({ name, number }) => {
    if (texts === undefined) return { name, number };
    const text = ownValue(texts, name);
    if (text === undefined) {
      throw new SpecError('enums', ['texts', type.typeName], `${type.typeName} has no text for ${name}`);
    }
    return { name, number, text };
  });
  const unknown = Object.keys(texts ?? {}).find((name) => !values.some((value) => value.name === name));
  if (unknown !== undefined) {
    throw new SpecError('enums', ['texts', type.typeName, unknown], `${type.typeName} has no value ${unknown}`);
  }
  const local = names.take(localName(type), (name) => [`${name}Table`]);
  return { name: type.typeName, local, values };
}

function buildMessage(message: DescMessage, names: NamesInScope, linked: Linked, spec: Spec): MessageModel {
  const fields = message.fields.map((field) => buildField(field, linked, spec));
  checkMembers(message, fields);
  const doc = docOfMessage(spec, message.typeName);
  return {
    name: message.typeName,
    ...(doc !== undefined && { doc }),
    local: names.take(localName(message)),
    fields,
    isEvent: isTypedEvent(message, spec),
    ...(spec.names.events.includes(message.typeName) && { holdsEvent: true as const }),
  };
}

/** Members of the form are the fields and oneofs, which must have distinct names. */
function checkMembers(message: DescMessage, fields: readonly FieldModel[]): void {
  const fault = (what: string): CodegenError =>
    new CodegenError(`${message.file.proto.name}: ${message.typeName}: ${what}`);
  const members = new Map<string, string>();
  for (const { name, prop, oneof } of fields) {
    const declared = oneof ?? name;
    const member = oneof === undefined ? prop : toCamelCase(oneof);
    const other = members.get(member) ?? declared;
    if (other !== declared)
      throw fault(`${other} and ${declared} would both be the member ${member}; rename one of them`);
    members.set(member, declared);
  }
}

function buildField(field: DescField, linked: Linked, spec: Spec): FieldModel {
  const repeated = field.fieldKind === 'list';
  if (isGroup(field)) {
    throw new CodegenError(
      `${field.parent.file.proto.name}: ${field.parent.typeName}.${field.name} is a group, which is not supported; declare a message and a field of it`,
    );
  }
  const doc = docOfField(spec, field.parent.typeName, field.name);
  return {
    no: field.number,
    name: field.name,
    ...(doc !== undefined && { doc }),
    prop: toCamelCase(field.name),
    ...shapeOf(field, linked, spec),
    repeated,
    always: !repeated && isAlways(field, linked),
    ...(isOptional(field) && { optional: true as const }),
    ...(field.oneof && { oneof: field.oneof.name }),
    ...carriedBy(field, spec),
  };
}

function carriedBy(field: DescField, spec: Spec): Pick<FieldModel, 'carries'> {
  const name = `${field.parent.typeName}.${field.name}`;
  const { fields } = spec.names;
  return Object.hasOwn(fields, name) ? { carries: fields[name] as Carries } : {};
}

function shapeOf(field: DescField, linked: Linked, spec: Spec): FieldShape<string, string, readonly string[]> {
  if (field.fieldKind === 'map') return { kind: 'map', key: scalarKind(field.mapKey), value: mapValueOf(field) };
  if (field.enum) return { kind: 'enum', enum: field.enum.typeName };
  if (field.message) return messageShape(field.message.typeName, acceptedBy(field, spec));
  return { kind: fieldKind(field, field.scalar, linked, spec) };
}

function mapValueOf(field: DescField & { fieldKind: 'map' }): ValueModel {
  if (field.mapKind === 'enum') return { kind: 'enum', enum: field.enum.typeName };
  return field.mapKind === 'message' ? messageShape(field.message.typeName) : { kind: scalarKind(field.scalar) };
}

function acceptedBy(field: DescField, spec: Spec): readonly string[] | undefined {
  const line = ownValue(spec.any.fields, `${field.parent.typeName}.${field.name}`);
  return line === undefined || line === null ? undefined : interfacesOf(line);
}

import type { DescEnum, DescField, DescFile, DescMessage } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';
import { toCamelCase } from '../naming/case.js';
import { interfacesOf } from './build-interfaces.js';
import { fieldKind, isAlways, scalarKind } from './field-kind.js';
import type { EnumModel, FieldModel, FileModel, MessageModel } from './model.js';
import { isTypedEvent, reachedFiles } from './reach.js';

/** The messages and enums of every reached file. */
export function buildFiles(linked: Linked, spec: Spec): FileModel[] {
  return reachedFiles(linked, spec).map((file) => buildFile(file, linked, spec));
}

function buildFile(file: DescFile, linked: Linked, spec: Spec): FileModel {
  const messages: MessageModel[] = [];
  const enums: EnumModel[] = file.enums.map((type) => buildEnum(type, spec));
  const add = (message: DescMessage): void => {
    messages.push(buildMessage(message, linked, spec));
    enums.push(...message.nestedEnums.map((type) => buildEnum(type, spec)));
    message.nestedMessages.forEach(add);
  };
  file.messages.forEach(add);
  return { path: file.name, enums, messages };
}

/** `Outer.Inner` of a package as `Outer_Inner`. */
function localName(type: DescMessage | DescEnum): string {
  const { package: name } = type.file.proto;
  return (name === '' ? type.typeName : type.typeName.slice(name.length + 1)).replaceAll('.', '_');
}

function buildEnum(type: DescEnum, spec: Spec): EnumModel {
  const texts = spec.enums.texts[type.typeName];
  const values = type.values.map(({ name, number }) => {
    if (texts === undefined) return { name, number };
    const text = texts[name];
    if (text === undefined) {
      throw new SpecError('enums', ['texts', type.typeName], `${type.typeName} has no text for ${name}`);
    }
    return { name, number, text };
  });
  const unknown = Object.keys(texts ?? {}).find((name) => !values.some((value) => value.name === name));
  if (unknown !== undefined) {
    throw new SpecError('enums', ['texts', type.typeName, unknown], `${type.typeName} has no value ${unknown}`);
  }
  return { name: type.typeName, local: localName(type), values };
}

function buildMessage(message: DescMessage, linked: Linked, spec: Spec): MessageModel {
  return {
    name: message.typeName,
    local: localName(message),
    fields: message.fields.map((field) => buildField(field, linked, spec)),
    isEvent: isTypedEvent(message, spec),
  };
}

function buildField(field: DescField, linked: Linked, spec: Spec): FieldModel {
  const kind = fieldKind(field, linked, spec);
  const repeated = field.fieldKind === 'list';
  return {
    no: field.number,
    name: field.name,
    prop: toCamelCase(field.name),
    kind,
    repeated,
    always: !repeated && isAlways(field, linked),
    ...(field.oneof && { oneof: field.oneof.name }),
    ...(kind === 'message' && field.message && { message: field.message.typeName }),
    ...(field.enum && { enum: field.enum.typeName }),
    ...(kind === 'any' && accepts(field, spec)),
    ...(field.fieldKind === 'map' && mapOf(field)),
  };
}

function accepts(field: DescField, spec: Spec): Pick<FieldModel, 'accepts'> {
  const line = spec.any.fields[`${field.parent.typeName}.${field.name}`];
  return line === undefined || line === null ? {} : { accepts: interfacesOf(line) };
}

function mapOf(field: DescField & { fieldKind: 'map' }): Pick<FieldModel, 'map' | 'message' | 'enum'> {
  const key = scalarKind(field.mapKey);
  if (field.mapKind === 'message') return { map: { key, value: 'message' }, message: field.message.typeName };
  if (field.mapKind === 'enum') return { map: { key, value: 'enum' }, enum: field.enum.typeName };
  return { map: { key, value: scalarKind(field.scalar) } };
}

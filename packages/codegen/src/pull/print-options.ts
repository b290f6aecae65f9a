import type { DescExtension, DescField, DescMessage, Message, ScalarType } from '@bufbuild/protobuf';
import { getExtension, isFieldSet, ScalarType as Scalar } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

/** One option of a descriptor as written in a proto file: `(gogoproto.nullable)` and `false`. */
export interface PrintedOption {
  readonly name: string;
  readonly value: string;
}

/** Finds the extension of a message type by number. */
export type FindExtension = (extendee: string, no: number) => DescExtension | undefined;

/**
 * Options of a descriptor: those that the language defines, then extensions, each by number. Compilers put them on the
 * wire in different orders, so the order of the source is unknown.
 */
export function printOptions(schema: DescMessage, options: Message | undefined, find: FindExtension): PrintedOption[] {
  if (options === undefined) return [];
  const printed: PrintedOption[] = [];
  for (const field of schema.fields) {
    if (!isFieldSet(options, field)) continue;
    const value: unknown = reflect(schema, options).get(field);
    if (field.fieldKind === 'list' || field.fieldKind === 'map') continue;
    printed.push({ name: field.name, value: printValue(field, value) });
  }
  for (const no of new Set((options.$unknown ?? []).map((unknown) => unknown.no).sort((a, b) => a - b))) {
    const extension = find(schema.typeName, no);
    if (extension !== undefined) printed.push(...printExtension(options, extension));
  }
  return printed;
}

/** Thousands of fields have the same few options: equal bytes of an option are printed once. */
const printedBefore = new WeakMap<DescExtension, Map<string, readonly PrintedOption[]>>();

function printExtension(options: Message, extension: DescExtension): readonly PrintedOption[] {
  let before = printedBefore.get(extension);
  if (before === undefined) printedBefore.set(extension, (before = new Map<string, readonly PrintedOption[]>()));
  const bytes = (options.$unknown ?? []).flatMap(({ no, data }) => (no === extension.number ? [data.join()] : []));
  const key = bytes.join(' ');
  let printed = before.get(key);
  if (printed === undefined) {
    const value: unknown = getExtension(options, extension);
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    printed = values.map((each) => ({ name: `(${extension.typeName})`, value: printValue(extension, each) }));
    before.set(key, printed);
  }
  return printed;
}

function printValue(field: DescField | DescExtension, value: unknown): string {
  if (field.enum) return field.enum.value[value as number]?.name ?? String(value);
  if (field.message) return printMessage(field.message, value as Message | ReflectMessage);
  return printScalar(field.scalar, value);
}

function printScalar(scalar: ScalarType | undefined, value: unknown): string {
  if (scalar === Scalar.STRING) return quoteProto(value as string);
  if (scalar === Scalar.BYTES) return quoteBytes(value as Uint8Array);
  return String(value);
}

/** A message literal: a single member on one line, several on a line each. */
function printMessage(schema: DescMessage, value: Message | ReflectMessage): string {
  const message = '$typeName' in value ? reflect(schema, value) : value;
  const members = schema.fields.flatMap((field): string[] => {
    if (!message.isSet(field)) return [];
    const member: unknown = message.get(field);
    if (field.fieldKind !== 'list') return [`${field.name}: ${printValue(field, member)}`];
    return [...(member as Iterable<unknown>)].map((item) => `${field.name}: ${printValue(field, item)}`);
  });
  if (members.length <= 1) return `{${members.join('')}}`;
  return `{\n${members.map((member) => indent(member)).join('\n')}\n}`;
}

/** Indents every line by two spaces. */
export function indent(text: string): string {
  // A text literal may contain characters that end a line elsewhere.
  return text.replace(/(^|\n)(?=[^\n])/g, '$1  ');
}

/** A string literal of a proto file, for any text. */
export function quoteProto(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]/g, (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}

/** A bytes literal, with every byte as an octal escape. */
function quoteBytes(bytes: Uint8Array): string {
  return `"${[...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
}

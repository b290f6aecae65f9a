import { CodegenError } from '../codegen-error.js';
import type { Carries } from '../load/spec-types.js';
import { toCamelCase } from '../naming/case.js';
import type {
  EnumModel,
  FieldModel,
  FileModel,
  InterfaceModel,
  MessageModel,
  Model,
  ValueModel,
} from '../model/model.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { declaredPlaceOf } from './place-of.js';
import { docComment, memberName, nameWithDoc, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** Emits the decoded form of every message, and its field table for the codecs. */
export const forms: Emitter = {
  name: 'forms',
  emit: ({ model }) => model.files.flatMap((file) => emitFile(file, model)),
};

function emitFile(file: FileModel, model: Model): EmittedFile[] {
  if (file.messages.length + file.enums.length === 0) return [];
  const locals = [
    ...file.messages.map(({ local }) => local),
    ...file.enums.flatMap(({ local }) => [local, `${local}Table`]),
  ];
  const source = new SourceFile(`forms/${file.path}.ts`, locals);
  for (const type of file.enums) emitEnum(type, source);
  for (const message of file.messages) {
    emitForm(message, file, model, source);
    emitTable(message, file, model, source);
  }
  return [{ path: source.path, text: source.render() }];
}

function emitEnum(type: EnumModel, source: SourceFile): void {
  const values = type.values.map(({ name, number }) => `  ${memberName(name)}: ${number},`);
  source.line(`export const ${type.local} = {`, ...values, '} as const;', '');
  source.line(
    `export type ${type.local} = ${source.type('EnumValue', runtime.values)}<(typeof ${type.local})[keyof typeof ${type.local}]>;`,
    '',
    `export const ${type.local}Table: ${source.type('EnumTable', runtime.table)} = {`,
    `  name: ${quote(type.name)},`,
    `  values: ${type.local},`,
  );
  const texts = type.values.flatMap(({ name, text }) =>
    text === undefined ? [] : `    ${memberName(text)}: ${quote(name)},`,
  );
  if (texts.length > 0) source.line('  texts: {', ...texts, '  },');
  source.line('};', '');
}

function emitForm(message: MessageModel, file: FileModel, model: Model, source: SourceFile): void {
  const members: string[] = [];
  const oneofs = new Set<string>();
  for (const field of message.fields) {
    if (field.oneof === undefined) {
      if (field.doc !== undefined) members.push(`  ${docComment(field.doc)}`);
      members.push(`  readonly ${memberName(field.prop)}: ${fieldType(field, file, model, source)};`);
    } else if (!oneofs.has(field.oneof)) {
      oneofs.add(field.oneof);
      members.push(oneofMember(field.oneof, message, file, model, source));
    }
  }
  source.line(docComment(nameWithDoc(message.name, message.doc)));
  if (members.length === 0) source.line(`export interface ${message.local} {}`, '');
  else source.line(`export interface ${message.local} {`, ...members, '}', '');
}

function oneofMember(oneof: string, message: MessageModel, file: FileModel, model: Model, source: SourceFile): string {
  const cases = message.fields
    .filter((field) => field.oneof === oneof)
    .map(
      (field) =>
        `\n    | { readonly $case: ${quote(field.prop)}; readonly value: ${valueType(valueOf(field), file, model, source)} }`,
    );
  return `  readonly ${memberName(toCamelCase(oneof))}:${cases.join('')}\n    | undefined;`;
}

function fieldType(field: FieldModel, file: FileModel, model: Model, source: SourceFile): string {
  if (field.kind === 'map') return `{ readonly [key: string]: ${valueType(field.value, file, model, source)} }`;
  const type = valueType(field, file, model, source);
  if (field.repeated) return /[|]/.test(type) ? `readonly (${type})[]` : `readonly ${type}[]`;
  if (field.kind === 'timestamp' || field.kind === 'any') return `${type} | undefined`;
  if (field.kind === 'message' || field.kind === 'duration') return field.always ? type : `${type} | undefined`;
  return field.optional ? `${type} | undefined` : type;
}

/** The value of a map field; any other field is its own value. */
function valueOf(field: FieldModel): ValueModel {
  return field.kind === 'map' ? field.value : field;
}

const plainTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  string: 'string',
  bytes: 'Uint8Array',
  hex: 'Uint8Array',
  rawJson: 'Uint8Array',
};

function valueType(shape: ValueModel, file: FileModel, model: Model, source: SourceFile): string {
  const { kind } = shape;
  if (kind === 'message') return local(shape.message, file, model, source, 'type');
  if (kind === 'enum') return local(shape.enum, file, model, source, 'type');
  if (kind === 'any') {
    const accepted = acceptedBy(shape.any, model);
    // No implementation is known, so the type URL can be any string.
    if (accepted.length === 0) return `${source.type('AnyUnknown', runtime.values)}<string>`;
    return accepted.map(({ typeName, path }) => source.type(typeName, `any/${path}`)).join(' | ');
  }
  if (kind === 'timestamp') return source.type('Timestamp', runtime.values);
  if (kind === 'duration') return source.type('Duration', runtime.values);
  if (kind === 'int') return source.type('Int', runtime.values);
  if (kind.startsWith('dec')) return source.type('Dec', runtime.values);
  return plainTypes[kind] ?? (kind.endsWith('64') ? 'bigint' : 'number');
}

function local(name: string, file: FileModel, model: Model, source: SourceFile, as: 'type' | 'value' | 'enum'): string {
  const place = declaredPlaceOf(name, model, file.path);
  const symbol = as === 'enum' ? `${place.local}Table` : place.local;
  if (place.file === file.path) return symbol;
  return source[as === 'type' ? 'type' : 'value'](symbol, `forms/${place.file}`);
}

function emitTable(message: MessageModel, file: FileModel, model: Model, source: SourceFile): void {
  const table = source.type('MessageTable', runtime.table);
  const references: string[] = [];
  let last = 0;
  const notation = message.fields.map((field) => {
    const number = field.no === last + 1 ? '' : `${field.no}:`;
    last = field.no;
    const kind = field.kind === 'map' ? `map.${field.key}.${field.value.kind}` : field.kind;
    const reference = referenceOf(valueOf(field), file, model, source) ?? carrierOf(field, source);
    if (reference !== undefined) references.push(reference);
    return [
      number + field.name,
      kind === 'string' ? '' : ` ${kind}`,
      field.repeated ? '*' : '',
      field.always ? '!' : field.optional ? '?' : '',
      field.carries === undefined ? '' : '=',
      field.oneof === undefined ? '' : `@${field.oneof}`,
    ].join('');
  });
  const define = source.value('defineTable', runtime.defineTable);
  // Bundlers remove the call of an unused table only if it is marked as pure.
  const head = `export const ${message.local}: ${table}<${message.local}> = /* @__PURE__ */ ${define}(`;
  const call = [quote(message.name)];
  if (notation.length > 0) call.push(quote(notation.join(',')));
  if (references.length > 0) call.push(`() => [${references.join(', ')}]`);
  if (message.holdsEvent) call.push(...(references.length > 0 ? [] : ['undefined']), source.value('events', namesFile));
  const line = `${head}${call.join(', ')});`;
  if (line.length <= 120) source.line(line, '');
  else source.line(head, ...call.map((argument) => `  ${argument},`), ');', '');
}

/** Path of the generated file with the carriers of events. */
const namesFile = 'events/names';

const carriers: Readonly<Record<Carries, readonly [name: string, module: string]>> = {
  'type-url': ['typeNames', runtime.carriers],
  'type-name': ['typeNames', runtime.carriers],
  service: ['typeNames', runtime.carriers],
  'method-path': ['typeNames', runtime.carriers],
  'file-name': ['fileNames', runtime.carriers],
  member: ['memberNames', runtime.carriers],
  'amino-json': ['aminoJson', runtime.carriers],
  'event-query': ['queries', namesFile],
  'event-log': ['logs', namesFile],
};

/** Carrier that translates the names in a text field. */
function carrierOf({ carries }: FieldModel, source: SourceFile): string | undefined {
  return carries === undefined ? undefined : source.value(...carriers[carries]);
}

/** Reference to the table of a message or enum, or to the tables of all messages that an `Any` is known to contain. */
function referenceOf(shape: ValueModel, file: FileModel, model: Model, source: SourceFile): string | undefined {
  if (shape.kind === 'message') return local(shape.message, file, model, source, 'value');
  if (shape.kind === 'enum') return local(shape.enum, file, model, source, 'enum');
  if (shape.kind !== 'any') return undefined;
  const tables = acceptedBy(shape.any, model).map(({ tableName, path }) => source.value(tableName, `any/${path}`));
  if (tables.length < 2) return tables[0] ?? '{}';
  return `{ ${tables.map((table) => `...${table}`).join(', ')} }`;
}

function acceptedBy(interfaces: readonly string[] = [], model: Model): InterfaceModel[] {
  return interfaces.map((name) => {
    const accepted = model.interfacesByName.get(name);
    if (!accepted) throw new CodegenError(`a field accepts ${name}, which is not an interface of the model`);
    return accepted;
  });
}

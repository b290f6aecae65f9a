import { CodegenError } from '../codegen-error.js';
import { toCamelCase } from '../naming/case.js';
import type {
  EnumModel,
  FieldModel,
  FileModel,
  InterfaceModel,
  MessageModel,
  MethodModel,
  Model,
  ServiceModel,
} from '../model/model.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { placeOf } from './place-of.js';
import { docComment, memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** Method constants and tables of the small codec, for bundles that a browser loads: only what its transports can ask. */
export const small: Emitter = {
  name: 'small',
  isExtra: true,
  emit({ model }) {
    const services = model.services.map(({ path, methods }) => ({
      path,
      methods: methods.filter((method) => pathOf(method, model) ?? routeOf(method)),
    }));
    const reached = reach(
      services.flatMap(({ methods }) => methods),
      model,
    );
    return [
      ...model.files.flatMap((file) => emitFile(file, model, reached)),
      ...model.interfaces.filter(({ name }) => reached.has(name)).map((type) => emitInterface(type, model)),
      ...services
        .filter(({ methods }) => methods.length > 0)
        .map(({ path, methods }) => emitService(path, methods, model)),
      emitList(services),
    ];
  },
};

/** Path of `abci_query`, where it is served and the request holds no transaction, which the small codec does not write. */
function pathOf({ service, name, request, availability }: MethodModel, model: Model): string | undefined {
  return availability.abci.served && !holdsAny(request, model) ? `/${service}/${name}` : undefined;
}

/** Route of the gateway, where it is served and takes no body, which the small client does not send. */
function routeOf({ rest, availability }: MethodModel): string | undefined {
  return availability.rest.served && rest?.body === undefined ? rest?.path : undefined;
}

function holdsAny(name: string, model: Model, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  const fields = model.messages.get(name)?.fields ?? [];
  return fields.some(
    ({ kind, message }) => kind === 'any' || (message !== undefined && holdsAny(message, model, seen)),
  );
}

/** Names of the messages, enums and interfaces that the methods lead to. */
function reach(methods: readonly MethodModel[], model: Model): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const field of model.messages.get(name)?.fields ?? []) {
      for (const next of [field.message, field.enum, ...(field.accepts ?? [])]) if (next !== undefined) visit(next);
    }
    model.interfacesByName.get(name)?.implementations.forEach(visit);
  };
  for (const { request, response } of methods) [request, response].forEach(visit);
  return reached;
}

function emitFile(file: FileModel, model: Model, reached: ReadonlySet<string>): EmittedFile[] {
  const enums = file.enums.filter(({ name }) => reached.has(name));
  const messages = file.messages.filter(({ name }) => reached.has(name));
  if (enums.length + messages.length === 0) return [];
  const source = new SourceFile(
    `small/forms/${file.path}.ts`,
    [...enums, ...messages].map(({ local }) => local),
  );
  for (const type of enums) emitEnum(type, source);
  for (const message of messages) emitMessage(message, file, model, source);
  return [{ path: source.path, text: source.render() }];
}

function emitEnum({ name, local, values }: EnumModel, source: SourceFile): void {
  const texts = values.flatMap(({ text, number }) => (text === undefined ? [] : [{ name: text, number }]));
  const prefix = prefixOf(values);
  const listed = prefix === undefined ? [...values, ...texts] : texts;
  const call = [quote(notationOf(listed, name)), ...(prefix === undefined ? [] : [quote(prefix)])];
  emitConstant(local, source.value('enumOf', runtime.smallKinds), call, source);
}

/** What makes the full name of each short text, if one prefix does. */
function prefixOf(values: EnumModel['values']): string | undefined {
  const [first] = values;
  if (first?.text === undefined || !first.name.endsWith(first.text.toUpperCase())) return undefined;
  const prefix = first.name.slice(0, first.name.length - first.text.length);
  return values.every(({ name, text }) => text !== undefined && name === prefix + text.toUpperCase())
    ? prefix
    : undefined;
}

function notationOf(values: readonly { readonly name: string; readonly number: number }[], where: string): string {
  let last = 0;
  return values
    .map(({ name, number }) => {
      if (number < 0)
        throw new CodegenError(`${where}: the small codec notes no negative number, ${name} is ${number}`);
      const noted = number === last + 1 ? name : `${number}:${name}`;
      last = number;
      return noted;
    })
    .join(',');
}

function emitMessage(message: MessageModel, file: FileModel, model: Model, source: SourceFile): void {
  const fields = [...message.fields].sort((a, b) => a.no - b.no);
  const notation = notationOf(
    fields.map(({ no, name, repeated, always, kind }) => ({
      number: no,
      // Of the other kinds the default is the same with and without the mark.
      name: `${name}${repeated ? '*' : ''}${always && /^(?:message|duration)$/.test(kind) ? '!' : ''}`,
    })),
    message.name,
  );
  const kinds = fields.map((field) => kindOf(field, `${message.name}.${field.name}`, file, model, source));
  while (kinds.at(-1) === '') kinds.pop();
  const call = notation === '' ? [] : [quote(notation)];
  if (kinds.length > 0) call.push(`() => [${kinds.join(', ')}]`);
  const table = source.value('table', runtime.smallTable);
  const oneofs = fields.filter(({ oneof }) => oneof !== undefined);
  if (oneofs.length === 0) emitConstant(message.local, table, call, source);
  else {
    const members = oneofs.map(({ prop, oneof }) => `${memberName(prop)}: ${quote(toCamelCase(oneof ?? ''))}`);
    const choice = source.value('choice', runtime.smallChoice);
    emitConstant(
      message.local,
      choice,
      [`{ ${members.join(', ')} }`, `/* @__PURE__ */ ${table}(${call.join(', ')})`],
      source,
    );
  }
}

/** Bundlers drop a call in an unused constant only where it is marked to have no effect. */
function emitConstant(local: string, call: string, given: readonly string[], source: SourceFile): void {
  const head = `export const ${local}: ${source.type('SmallKind', runtime.smallTable)} = /* @__PURE__ */ ${call}(`;
  const line = `${head}${given.join(', ')});`;
  if (line.length <= 120) source.line(line, '');
  else source.line(head, ...given.map((argument) => `  ${argument},`), ');', '');
}

/** Kinds that the small codec has, with the constants of its runtime. */
const scalars: Readonly<Record<string, string>> = {
  bool: 'bool',
  int32: 'int32',
  uint32: 'uint32',
  int64: 'int64',
  uint64: 'uint64',
  bytes: 'bytes',
  hex: 'hex',
  rawJson: 'rawJson',
  int: 'int',
  dec: 'dec',
  decBytes: 'dec',
  timestamp: 'timestamp',
  duration: 'duration',
};

/** Expression of a field's kind; empty for text. */
function kindOf(field: FieldModel, where: string, file: FileModel, model: Model, source: SourceFile): string {
  const kind = plainKindOf(field, where, file, model, source);
  if (field.oneof !== undefined) return `${source.value('optional', runtime.smallChoice)}(${kind})`;
  return field.repeated && /^(?:bool|enum|u?int\d+)$/.test(field.kind)
    ? `${source.value('packed', runtime.smallKinds)}(${kind})`
    : kind;
}

function plainKindOf(field: FieldModel, where: string, file: FileModel, model: Model, source: SourceFile): string {
  const { kind } = field;
  if (field.optional) throw new CodegenError(`${where}: the small codec does not have optional fields`);
  if (kind === 'string' || kind === 'decText') return '';
  if (kind === 'message' || kind === 'enum') {
    const place = placeOf(field.message ?? field.enum ?? '', model, file.path);
    return place.file === file.path ? place.local : source.value(place.local, `small/forms/${place.file}`);
  }
  if (kind === 'any') {
    const maps = (field.accepts ?? []).map((name) => {
      const type = model.interfacesByName.get(name);
      if (type === undefined) throw new CodegenError(`${where} accepts ${name}, which is no interface of the model`);
      return source.value(type.tableName, `small/any/${type.path}`);
    });
    return `${source.value('anyOf', runtime.smallKinds)}(${maps.join(', ')})`;
  }
  const scalar = scalars[kind];
  if (scalar === undefined) throw new CodegenError(`${where}: the small codec does not have the kind ${kind}`);
  return source.value(scalar, runtime.smallKinds);
}

function emitInterface(type: InterfaceModel, model: Model): EmittedFile {
  const source = new SourceFile(`small/any/${type.path}.ts`, [type.tableName]);
  const entries = type.implementations.map((name) => {
    const place = placeOf(name, model, type.name);
    return `  ${memberName(name)}: ${source.value(place.local, `small/forms/${place.file}`)},`;
  });
  const known = source.type('SmallAny', runtime.smallKinds);
  source.line(docComment(type.name), `export const ${type.tableName}: ${known} = () => ({`, ...entries, '});', '');
  return { path: source.path, text: source.render() };
}

function emitService(path: string, methods: readonly MethodModel[], model: Model): EmittedFile {
  const source = new SourceFile(
    `small/methods/${path}.ts`,
    methods.map(({ constant }) => constant),
  );
  for (const method of methods) {
    const { constant, service, name, request, response, availability } = method;
    const [abci, route] = [pathOf(method, model), routeOf(method)];
    const left = [
      ...(availability.rest.served && route === undefined ? ["'rest'"] : []),
      ...(availability.abci.served && abci === undefined ? ["'abci'"] : []),
    ];
    const of = [`typeof ${source.type(constant, `methods/${path}`)}`, ...(left.length > 0 ? [left.join(' | ')] : [])];
    source.line(
      docComment(`${service}/${name}`),
      `export const ${constant}: ${source.type('SmallMethod', runtime.smallMethod)}<${of.join(', ')}> = {`,
      ...(abci === undefined ? [] : [`  path: ${quote(abci)},`]),
      ...(route === undefined ? [] : [`  route: ${quote(route)},`]),
      `  request: ${formOf(request, model, source)},`,
      `  response: ${formOf(response, model, source)},`,
      '};',
      '',
    );
  }
  return { path: source.path, text: source.render() };
}

function formOf(name: string, model: Model, source: SourceFile): string {
  const place = placeOf(name, model, source.path);
  return source.value(place.local, `small/forms/${place.file}`);
}

function emitList(services: readonly Pick<ServiceModel, 'path' | 'methods'>[]): EmittedFile {
  const source = new SourceFile('small/methods/all.ts', ['allSmallMethods']);
  const entries = services.flatMap(({ path, methods }) =>
    methods.map(
      ({ service, name, constant }) =>
        `  [${quote(`${service}/${name}`)}, ${source.value(constant, `small/methods/${path}`)}],`,
    ),
  );
  const [method, kind] = [
    source.type('SmallMethod', runtime.smallMethod),
    source.type('TransportKind', runtime.method),
  ];
  const any = source.type('AnyMethod', runtime.method);
  source.line(
    '/** Every method of the small client by `<service>/<method>`: for tests, not for browsers. */',
    `export const allSmallMethods: ReadonlyMap<string, ${method}<${any}, ${kind}>> = /* @__PURE__ */ new Map<string, ${method}<${any}, ${kind}>>([`,
    ...entries,
    ']);',
    '',
  );
  return { path: source.path, text: source.render() };
}

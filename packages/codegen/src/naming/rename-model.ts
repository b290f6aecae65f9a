import type { NamingSpec } from '../load/spec-types.js';
import type {
  EnumModel,
  FieldModel,
  ValueModel,
  FileModel,
  InterfaceModel,
  MessageModel,
  MethodModel,
  Model,
  MsgServiceModel,
  DeclaredPlace,
  ServiceModel,
} from '../model/model.js';
import { toCamelCase, toModulePath } from './case.js';
import { renamer } from './rename.js';

/**
 * The model with the names of a network: packages, types, files, routes and members have their wire names. Numbers,
 * kinds and facts are unchanged, so that a record has the same form, except for renamed members. Texts that contain
 * names stay as on the wire.
 */
export function renameModel(model: Model, naming: NamingSpec): Model {
  const names = wireNames(naming);
  const files = model.files.map((file) => renameFile(file, names));
  const interfaces = model.interfaces.map((type) => renameInterface(type, names));
  const places = new Map<string, DeclaredPlace>();
  const messages = new Map<string, MessageModel>();
  for (const file of files) {
    for (const type of [...file.messages, ...file.enums]) places.set(type.name, { file: file.path, local: type.local });
    for (const message of file.messages) messages.set(message.name, message);
  }
  return {
    ...model,
    namedAttributes: {},
    files: files.sort(byPath),
    services: model.services.map((service) => renameService(service, names)).sort(byPath),
    msgServices: model.msgServices.map((service) => renameMsgService(service, names)).sort(byPath),
    interfaces: interfaces.sort(byPath),
    legacyRoutes: model.legacyRoutes.map(({ service, path }) => ({
      service: names.type(service),
      path: names.route(path),
    })),
    places,
    messages,
    interfacesByName: new Map(interfaces.map((type) => [type.name, type])),
  };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

interface WireNames {
  type(name: string): string;
  file(path: string): string;
  route(path: string): string;
  member(name: string): string;
  /** Translates names inside prose: dotted ones are types, those with a slash are routes. */
  prose(text: string): string;
}

function wireNames(naming: NamingSpec): WireNames {
  const [type, route] = [renamer(naming, 'type'), renamer(naming, 'route')];
  return {
    type,
    route,
    file: renamer(naming, 'file'),
    member: renamer(naming, 'member'),
    prose: (text) => text.replace(/\/[\w./{}]+|\w+(?:\.\w+)+/g, (name) => (name.startsWith('/') ? route : type)(name)),
  };
}

function renameFile({ path, package: name, enums, messages }: FileModel, names: WireNames): FileModel {
  return {
    path: names.file(path),
    package: names.type(name),
    enums: enums.map((type): EnumModel => ({ ...type, ...renamed(type, names) })),
    messages: messages.map(({ holdsEvent: _, ...message }) => ({
      ...message,
      ...renamed(message, names),
      ...docOf(message, names),
      fields: message.fields.map((field) => renameField(field, names)),
    })),
  };
}

/** Documentation, with translated names. */
function docOf({ doc }: { readonly doc?: string }, names: WireNames): { readonly doc?: string } {
  return doc === undefined ? {} : { doc: names.prose(doc) };
}

/** Full and local name of a message or enum: the local one is the part after the package, with `_` for dots. */
function renamed({ name, local }: { readonly name: string; readonly local: string }, names: WireNames) {
  const segments = name.split('.');
  const at = segments.findIndex((_, index) => segments.slice(index).join('_') === local);
  const wire = names.type(name);
  return { name: wire, local: wire.split('.').slice(at).join('_') };
}

function renameField({ carries: _, ...field }: FieldModel, names: WireNames): FieldModel {
  const name = names.member(field.name);
  return {
    ...field,
    ...docOf(field, names),
    name,
    ...(name !== field.name && { prop: toCamelCase(name) }),
    ...(field.kind === 'map' ? { value: renameShape(field.value, names) } : renameShape(field, names)),
  };
}

function renameShape(shape: ValueModel, names: WireNames): ValueModel {
  if (shape.kind === 'message') return { kind: 'message', message: names.type(shape.message) };
  if (shape.kind === 'enum') return { kind: 'enum', enum: names.type(shape.enum) };
  if (shape.kind === 'any') return { kind: 'any', any: shape.any?.map((accepted) => names.type(accepted)) };
  return { kind: shape.kind };
}

function renameInterface(type: InterfaceModel, names: WireNames): InterfaceModel {
  const name = names.type(type.name);
  const simple = name.slice(name.lastIndexOf('.') + 1);
  return {
    name,
    path: toModulePath(name),
    typeName: `Any${simple}`,
    tableName: `any${simple}`,
    implementations: type.implementations.map((implementation) => names.type(implementation)).sort(),
  };
}

function renameService({ name, methods }: ServiceModel, names: WireNames): ServiceModel {
  const wire = names.type(name);
  return { name: wire, path: toModulePath(wire), methods: methods.map((method) => renameMethod(method, names)) };
}

function renameMsgService({ name, msgs }: MsgServiceModel, names: WireNames): MsgServiceModel {
  const wire = names.type(name);
  return {
    name: wire,
    path: toModulePath(wire),
    msgs: msgs.map((msg) => ({
      ...msg,
      request: names.type(msg.request),
      response: names.type(msg.response),
      signers: msg.signers.map((member) => names.member(member)),
    })),
  };
}

function renameMethod(method: MethodModel, names: WireNames): MethodModel {
  const { grpc, rest, abci } = method.availability;
  const renameGap = (availability: typeof grpc): typeof grpc =>
    availability.served ? availability : { ...availability, sentence: names.prose(availability.sentence) };
  return {
    ...method,
    ...docOf(method, names),
    service: names.type(method.service),
    request: names.type(method.request),
    response: names.type(method.response),
    ...(method.list && { list: { ...method.list, items: names.member(method.list.items) } }),
    ...(method.rest && { rest: { ...method.rest, path: names.route(method.rest.path) } }),
    availability: { grpc: renameGap(grpc), rest: renameGap(rest), abci: renameGap(abci) },
  };
}

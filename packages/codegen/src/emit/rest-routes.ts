import type { FieldModel, MessageModel, MethodModel, Model } from '../model/model.js';
import type { Emitter } from './emitter.js';
import { placeOf } from './place-of.js';
import { memberName, quote, SourceFile } from './source-file.js';

/**
 * Routes of the REST gateway as literals: what fills the path, what may stand in the query, what comes back. For plain
 * `fetch`, so values are what is written into a URL.
 */
export const restRoutes: Emitter = {
  name: 'rest',
  emit({ model }) {
    const source = new SourceFile('rest/routes.ts', ['RestRoutes', 'restRoutes', 'RestRoute', 'UrlNumber']);
    const routes = model.services
      .flatMap((service) => service.methods)
      .filter((method) => method.rest && method.availability.rest.served)
      .map((method) => describe(method, model))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    source.line(
      '/** Whole number in a URL; 64-bit ones as `bigint` or text. Enums are given by number, never by name. */',
      'export type UrlNumber = number | bigint | `${bigint}`;',
      '',
      '/** Mounted routes by verb and path template. Bytes are base64 with padding, in the URL alphabet. */',
      'export interface RestRoutes {',
    );
    for (const route of routes) {
      const place = placeOf(route.method.response, model, route.key);
      source.line(
        `  readonly ${quote(route.key)}: {`,
        `    readonly path: ${members(route.path, false)};`,
        `    readonly query: ${members(route.query, true)};`,
        `    readonly response: ${source.type(place.local, `forms/${place.file}`)};`,
        '  };',
      );
    }
    source.line('}', '', 'export type RestRoute = keyof RestRoutes;', '');
    source.line(
      '/** Names of path and query parameters. A body `*` is the request message itself, as JSON. */',
      'export const restRoutes = {',
    );
    for (const { key, path, query, method } of routes) {
      const body = method.rest?.body ? ", body: '*'" : '';
      source.line(
        `  ${quote(key)}: { method: ${quote(`${method.service}/${method.name}`)}, path: ${names(path)}, query: ${names(query)}${body} },`,
      );
    }
    source.line(
      '} as const satisfies {',
      '  readonly [R in RestRoute]: {',
      '    readonly method: string;',
      "    readonly path: readonly (keyof RestRoutes[R]['path'])[];",
      "    readonly query: readonly (keyof RestRoutes[R]['query'])[];",
      "    readonly body?: '*';",
      '  };',
      '};',
    );
    return [{ path: source.path, text: source.render() }];
  },
};

interface Param {
  readonly name: string;
  readonly type: string;
}

interface Route {
  readonly key: string;
  readonly method: MethodModel;
  readonly path: readonly Param[];
  readonly query: readonly Param[];
}

function describe(method: MethodModel, model: Model): Route {
  const { rest } = method;
  if (!rest) throw new Error(`${method.service}/${method.name} has no rule`);
  const request = messageOf(method.request, model);
  const inPath = [...rest.path.matchAll(/\{([^}=]+)(?:=[^}]*)?\}/g)].map(([, name = '']) => name);
  const path = inPath.map((name) => ({ name, type: pathType(name, request, model) }));
  // With a body, the gateway reads nothing from the query.
  const query = rest.body ? [] : queryParams(request, model, '', []).filter(({ name }) => !inPath.includes(name));
  return { key: `${rest.verb} ${rest.path}`, method, path, query };
}

function messageOf(name: string, model: Model): MessageModel {
  const message = model.messages.get(name);
  if (!message) throw new Error(`${name} is used but not reached`);
  return message;
}

function pathType(name: string, request: MessageModel, model: Model): string {
  let message = request;
  const parts = name.split('.');
  for (const part of parts.slice(0, -1)) {
    const field = message.fields.find((candidate) => candidate.name === part);
    message = messageOf(field?.message ?? `${message.name}.${part}`, model);
  }
  const field = message.fields.find((candidate) => candidate.name === parts.at(-1));
  if (!field) throw new Error(`${request.name} has no field ${name}, which its route names`);
  // A list in a path is one segment with commas.
  return field.repeated ? 'string' : (urlType(field) ?? 'string');
}

function queryParams(message: MessageModel, model: Model, prefix: string, within: readonly string[]): Param[] {
  return message.fields.flatMap((field): Param[] => {
    const name = `${prefix}${field.name}`;
    if (field.message !== undefined && !field.repeated && !field.map) {
      if (within.includes(field.message)) return [];
      return queryParams(messageOf(field.message, model), model, `${name}.`, [...within, field.message]);
    }
    const type = urlType(field);
    if (type === undefined) return [];
    return [{ name, type: field.repeated ? `readonly (${type})[]` : type }];
  });
}

/** How a value is written in a URL; `undefined` where the gateway takes none. */
function urlType({ kind, map }: FieldModel): string | undefined {
  if (map || ['message', 'any', 'int', 'dec', 'decBytes'].includes(kind)) return undefined;
  if (kind === 'bool') return 'boolean';
  if (['string', 'bytes', 'hex', 'rawJson', 'decText', 'timestamp', 'duration'].includes(kind)) return 'string';
  return 'UrlNumber';
}

function members(params: readonly Param[], optional: boolean): string {
  if (params.length === 0) return '{}';
  const [mark, undefinedToo] = optional ? ['?', ' | undefined'] : ['', ''];
  const lines = params.map(({ name, type }) => `      readonly ${memberName(name)}${mark}: ${type}${undefinedToo};`);
  return `{\n${lines.join('\n')}\n    }`;
}

function names(params: readonly Param[]): string {
  return `[${params.map(({ name }) => quote(name)).join(', ')}]`;
}

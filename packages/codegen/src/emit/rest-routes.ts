import type { FieldModel } from '../model/model.js';
import { type Emitter, runtime } from './emitter.js';
import { declaredPlaceOf } from './place-of.js';
import { keyOf, type RouteParam, servedRoutes } from './rest-route.js';
import { memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/**
 * Routes of the REST gateway as literals: path parameters, query parameters, and the response type. For plain `fetch`,
 * so values have their form in a URL.
 */
export const restRoutes: Emitter = {
  name: 'rest',
  emit({ model }) {
    const source = new SourceFile('rest/routes.ts', [
      'RestRoutes',
      'restRoutes',
      'RestRoute',
      'RouteParams',
      'routeUrl',
      'UrlNumber',
    ]);
    const routes = servedRoutes(model).map((route) => ({ ...route, key: keyOf(route) }));
    if (routes.length === 0) return [];
    source.line(
      '/** Whole number in a URL; 64-bit ones as `bigint` or text. Enums are given by number, never by name. */',
      'export type UrlNumber = number | bigint | `${bigint}`;',
      '',
      '/** Mounted routes by verb and path template. Bytes are base64 with padding, in the URL alphabet. */',
      'export interface RestRoutes {',
    );
    for (const route of routes) {
      const place = declaredPlaceOf(route.method.response, model, route.key);
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
      '/**',
      ' * Names of path and query parameters. A body `*` is the request message itself, as JSON; else it is that field. No value of',
      ' * a path may hold a slash, apart from those under `slashes`.',
      ' */',
      'export const restRoutes = {',
    );
    for (const { key, path, query, method, rule } of routes) {
      const body = rule.body === undefined ? '' : `, body: ${quote(rule.body)}`;
      const patterned = path.filter(({ name }) => rule.path.includes(`{${name}=`));
      const slashes = patterned.length > 0 ? `, slashes: ${names(patterned)}` : '';
      source.line(
        `  ${quote(key)}: { method: ${quote(`${method.service}/${method.name}`)}, path: ${names(path)}, query: ${names(query)}${slashes}${body} },`,
      );
    }
    source.line(
      '} as const satisfies {',
      '  readonly [R in RestRoute]: {',
      '    readonly method: string;',
      "    readonly path: readonly (keyof RestRoutes[R]['path'])[];",
      "    readonly query: readonly (keyof RestRoutes[R]['query'])[];",
      "    readonly slashes?: readonly (keyof RestRoutes[R]['path'])[];",
      '    readonly body?: string;',
      '  };',
      '};',
      '',
      '/** What fills the URL of a route. */',
      "export type RouteParams<R extends RestRoute> = (keyof RestRoutes[R]['path'] extends never",
      '  ? { readonly path?: undefined }',
      "  : { readonly path: RestRoutes[R]['path'] }) & { readonly query?: RestRoutes[R]['query'] };",
      '',
      '/**',
      ' * Path and query of a route, to stand behind the address of a gateway.',
      ' *',
      ' * @throws CodecError when a value of the path is empty, or holds a slash that it must not',
      ' */',
      `export function routeUrl<R extends RestRoute>(route: R, params: RouteParams<R>, naming?: ${source.type('Naming', runtime.naming)}): string {`,
      `  return ${source.value('restUrl', runtime.restUrl)}(route, params, naming);`,
      '}',
      '',
    );
    return [{ path: source.path, text: source.render() }];
  },
};

/** Type of a value in a URL. */
function urlType({ kind, repeated }: FieldModel): string {
  const type =
    kind === 'bool'
      ? 'boolean'
      : ['string', 'bytes', 'hex', 'rawJson', 'decText', 'timestamp', 'duration'].includes(kind)
        ? 'string'
        : 'UrlNumber';
  return repeated ? `readonly (${type})[]` : type;
}

/** A list in a path is one segment, separated by commas. */
function pathType(field: FieldModel): string {
  return field.repeated || ['message', 'any', 'int', 'dec', 'decBytes'].includes(field.kind)
    ? 'string'
    : urlType(field);
}

function members(params: readonly RouteParam[], optional: boolean): string {
  if (params.length === 0) return '{}';
  const [mark, undefinedToo] = optional ? ['?', ' | undefined'] : ['', ''];
  const lines = params.map(({ name, field }) => {
    const type = optional ? urlType(field) : pathType(field);
    return `      readonly ${memberName(name)}${mark}: ${type}${undefinedToo};`;
  });
  return `{\n${lines.join('\n')}\n    }`;
}

function names(params: readonly RouteParam[]): string {
  return `[${params.map(({ name }) => quote(name)).join(', ')}]`;
}

import type { OpenApiSchema } from './json-schema.js';
import { keyOf, type RestRoute, servedRoutes } from '../emit/rest-route.js';
import type { Model } from '../model/model.js';
import { pathParameter, queryParameter } from './parameters.js';
import { Schemas } from './schemas.js';

/** Facts for a document in addition to the model, under the names of its network. */
export interface DocumentFacts {
  readonly title: string;
  readonly version: string;
  /** Header that requests a height, and the one that returns it; absent if there are no heights. */
  readonly heightHeaders?: { readonly request: string; readonly answer: string } | undefined;
  /** Messages that the language's own encoder prints. */
  readonly plainMessages: ReadonlySet<string>;
  /** `<service>/<method>` → notes for callers. */
  readonly notes: ReadonlyMap<string, string>;
}

export type OpenApiDocument = Readonly<{
  openapi: string;
  info: Readonly<Record<string, unknown>>;
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}> &
  Readonly<Record<string, unknown>>;

/** The REST gateway as OpenAPI 3.1: only the served routes. */
export function openApiDocument(model: Model, facts: DocumentFacts): OpenApiDocument {
  const schemas = new Schemas(model, facts.plainMessages);
  const routes = servedRoutes(model);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = templateOf(route);
    const operations = (paths[path] ??= {});
    operations[route.rule.verb.toLowerCase()] = operation(route, schemas, facts);
  }
  const heights = facts.heightHeaders;
  const tags = [...new Set(routes.map(({ method }) => method.service))].sort();
  return {
    openapi: '3.1.1',
    info: {
      title: facts.title,
      version: facts.version,
      description:
        '64-bit numbers and amounts are text. Enums are given by number in a URL and answered by name. Members of an answer are always there, apart from those of a oneof.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:1317', description: 'a node of your own' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: withoutAbsent({
      schemas: { ...schemas.components(), 'gateway.Error': errorSchema },
      parameters: heights && {
        Height: {
          name: heights.request,
          in: 'header',
          description: 'Height to answer at; the newest without it. Given twice it is ignored.',
          schema: { type: 'string', format: 'int64', pattern: '^[0-9]{1,19}$' },
        },
      },
      headers: heights && {
        Height: {
          description: 'Height that the answer is of.',
          schema: { type: 'string', format: 'int64', pattern: '^[0-9]{1,19}$' },
        },
        ServerTime: { description: 'Unix seconds of the clock of the node.', schema: { type: 'string' } },
      },
      responses: {
        Error: {
          description:
            'A refusal, also of what no route fits. The status follows from the code: 3 is 400, 5 is 404, 12 is 501 …',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/gateway.Error' } } },
        },
      },
    }),
  };
}

type Groups = OpenApiDocument['components'];

function withoutAbsent(groups: Readonly<Record<string, Groups[string] | undefined>>): Groups {
  return Object.fromEntries(Object.entries(groups).filter(([, group]) => group !== undefined)) as Groups;
}

const errorSchema = {
  type: 'object',
  properties: {
    code: { type: 'integer', minimum: 1, maximum: 16, description: 'gRPC status code' },
    message: { type: 'string' },
    details: {
      type: 'array',
      items: { type: 'object', properties: { '@type': { type: 'string' } }, required: ['@type'] },
    },
  },
  required: ['code', 'message', 'details'],
  additionalProperties: false,
} as const;

/** `{denom=**}` becomes a plain `{denom}`. */
function templateOf({ rule }: RestRoute): string {
  return rule.path.replace(/\{([^}=]+)=[^}]*\}/g, '{$1}');
}

/** A method with several routes has one operation for each. */
function operationId({ method, rule }: RestRoute): string {
  const more = method.moreRoutes?.indexOf(rule) ?? -1;
  return `${method.service}.${method.name}${more < 0 ? '' : `.${more + 2}`}`;
}

function bodySchema({ method, rule }: RestRoute, schemas: Schemas): OpenApiSchema {
  return rule.body === '*' ? schemas.request(method.request) : schemas.requestMember(method.request, rule.body ?? '');
}

function operation(route: RestRoute, schemas: Schemas, facts: DocumentFacts): object {
  const { method, rule, path, query } = route;
  const name = `${method.service}/${method.name}`;
  const note = facts.notes.get(name);
  return {
    operationId: operationId(route),
    tags: [method.service],
    summary: name,
    ...(note !== undefined && { description: note }),
    parameters: [
      ...path.map((param) => pathParameter(param, keyOf(route).includes(`{${param.name}=`), schemas)),
      ...query.map((param) => queryParameter(param, schemas)),
      ...(facts.heightHeaders ? [{ $ref: '#/components/parameters/Height' }] : []),
    ],
    ...(rule.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema(route, schemas) } } },
    }),
    responses: {
      200: {
        description: method.response,
        ...(facts.heightHeaders && {
          headers: {
            [facts.heightHeaders.answer]: { $ref: '#/components/headers/Height' },
            'x-server-time': { $ref: '#/components/headers/ServerTime' },
          },
        }),
        content: { 'application/json': { schema: schemas.answer(method.response) } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** The document as text: one line for each path and component, so that diffs of the interface are line diffs. */
export function printOpenApi(document: OpenApiDocument): string {
  const { paths, components, ...head } = document;
  const entries = (of: Readonly<Record<string, unknown>>, indent: string): string =>
    Object.entries(of)
      .map(([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const groups = Object.entries(components).map(
    ([name, group]) => `    "${name}": {\n${entries(group, '      ')}\n    }`,
  );
  return `{\n${entries(head, '  ')},\n  "paths": {\n${entries(paths, '    ')}\n  },\n  "components": {\n${groups.join(',\n')}\n  }\n}\n`;
}

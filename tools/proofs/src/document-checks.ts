import { isDeepStrictEqual } from 'node:util';
import type { Facts, Gap, Spec, TransportKind } from '@hubwatch/codegen';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import { messageByName } from '@hubwatch/types/gen/registry';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Field } from '@hubwatch/types/runtime/table';

export interface Source {
  readonly spec: Spec;
  readonly facts: Facts;
}

/** A row of a table in proto/spec/document.yaml; its members depend on the table's kind. */
export interface Row {
  readonly message?: string;
  readonly field?: string;
  readonly number?: number;
  readonly type?: string;
  readonly query?: string;
  readonly enum?: string;
  readonly name?: string;
  readonly service?: string;
  readonly module?: string;
  readonly version?: string;
  readonly method?: string;
  /** Absent means all methods of the service. */
  readonly methods?: readonly string[];
  readonly except?: readonly string[];
  readonly over?: readonly string[];
  readonly http?: number;
  readonly replacement?: readonly string[];
  readonly route?: string;
  readonly verb?: string;
  readonly note?: string;
  readonly request?: readonly string[];
  readonly response?: readonly string[];
  readonly params?: readonly string[];
  readonly result?: readonly string[];
  readonly unsafe?: true;
  readonly encoded?: Readonly<Record<string, string>>;
  readonly stream?: readonly string[];
  /** Path of the fact in the other files. */
  readonly at?: string;
  readonly claim?: unknown;
}

/** Returns the error in a row, if any: missing from the spec, or contradicted by it. */
export type RowCheck = (row: Row, source: Source, clause: string) => string | undefined;

/** One check for each kind of table. */
export const rowChecks: Readonly<Record<string, RowCheck>> = {
  message_field: ({ message = '', field = '', number, type }) => {
    const found = messageByName(message)?.fields.find(({ name }) => name === field);
    if (found === undefined) return `${message} has no field ${field}`;
    return differ('number', number, found.no) ?? differ('type', type, typeOf(found));
  },
  page_parameter: ({ field = '', query }, { facts }) => {
    const request = facts.lists['request'] as { message: string; parameters: Record<string, { query: string }> };
    if (!hasField(request.message, field)) return `${request.message} has no field ${field}`;
    return differ('parameter', query, request.parameters[field]?.query);
  },
  enum_value: ({ enum: name, name: value = '', number }) => {
    const field = messageByName('hub.node.v3.Node')?.fields.find(
      (each) => each.kind === 'enum' && each.enum().name === name,
    );
    return differ('ordinal', number, field?.kind === 'enum' ? field.enum().values[value] : undefined);
  },
  service: ({ service = '' }, { spec }) =>
    Object.hasOwn(spec.availability.services, service) ? undefined : 'the spec has no such service',
  service_version: ({ module = '', version = '' }, { spec }) =>
    Object.hasOwn(spec.availability.services, `hub.${module}.${version}.QueryService`)
      ? undefined
      : 'the spec has no such service',
  method: checkMethod,
  unserved: checkUnserved,
  served: ({ service = '', methods = [] }, { spec }) =>
    first(methods, (method) => {
      const gap = gapOf(spec, service, method, 'grpc');
      return gap && `${method} is ${gap === 'absent' ? 'absent' : gap.kind} over gRPC`;
    }),
  rpc_method: checkRpcMethod,
  no_events: ({ stream }) =>
    differ(
      'streams',
      stream,
      allMethods.filter((method) => 'stream' in method).map(({ service, name }) => `${service}/${name}`),
    ),
  fact: ({ at = '', claim }, source, clause) => {
    const fact = factAt(source, at);
    if (fact === undefined) return 'the spec has no such fact';
    const { clause: cited, ...documented } = (fact.documented ?? {}) as Record<string, unknown>;
    return differ('clause', clause, cited) ?? differ('claim', claim, documented);
  },
};

export interface Fact {
  readonly documented?: unknown;
  readonly observed?: unknown;
}

/** Looks up the fact at a path such as `node.config.api.enable`; names may contain dots. */
export function factAt({ spec, facts }: Source, path: string): Fact | undefined {
  const look = (value: unknown, names: readonly string[]): unknown => {
    if (names.length === 0) return value;
    if (typeof value !== 'object' || value === null) return undefined;
    for (let count = names.length; count > 0; count--) {
      const name = names.slice(0, count).join('.');
      if (!Object.hasOwn(value, name)) continue;
      const found = look((value as Record<string, unknown>)[name], names.slice(count));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look({ ...spec, ...facts }, path.split('.')) as Fact | undefined;
}

function methodOf(service: unknown, name: unknown): AnyMethod | undefined {
  return allMethods.find((method) => method.service === service && method.name === name);
}

function checkMethod(
  { service = '', method = '', route, verb = 'GET', note, request = [], response = [] }: Row,
  { spec }: Source,
) {
  const found = methodOf(service, method);
  if (found === undefined) return 'the spec has no such method';
  const wanted = note === 'unimplemented' ? 'unimplemented' : 'served';
  const kindOver = (kind: TransportKind): string => {
    const gap = gapOf(spec, service, method, kind);
    return gap === undefined ? 'served' : gap === 'absent' ? 'absent' : gap.kind;
  };
  const parameters = [...(route ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return (
    (route === undefined
      ? undefined
      : (differ('route', route, found.rest?.path ?? spec.availability.unmounted_routes?.[`${service}/${method}`]) ??
        differ('verb', verb, found.rest?.verb ?? 'GET'))) ??
    differ('gRPC', wanted, kindOver('grpc')) ??
    differ('REST', note === 'gRPC only' ? 'not_mounted' : wanted, kindOver('rest')) ??
    (service.startsWith('hub.') ? checkMessages(found) : undefined) ??
    first([...parameters, ...request], (name) => lacks(found.request.name, name)) ??
    first(response, (name) => lacks(found.response.name, name))
  );
}

/** Request and response messages of a chain method are named after it and are in its package. */
function checkMessages({ service, name, request, response }: AnyMethod): string | undefined {
  const inPackage = `${service.slice(0, service.lastIndexOf('.'))}.${name}`;
  return (
    differ('request', `${inPackage}Request`, request.name) ?? differ('response', `${inPackage}Response`, response.name)
  );
}

function checkUnserved({ service = '', methods, except = [], over = [], http, replacement }: Row, { spec }: Source) {
  const names = methods ?? Object.keys(spec.availability.services[service] ?? {});
  if (names.length === 0) return 'the spec has no such service';
  return first(
    names.filter((name) => !except.includes(name)),
    (name) =>
      first(over as readonly TransportKind[], (kind) => {
        const gap = gapOf(spec, service, name, kind);
        if (gap === undefined) return `${name} is served over ${kind}`;
        if (gap === 'absent') return `${name} has no line for ${kind}`;
        if (http !== undefined && !gap.observed?.includes(String(http))) return `${name}: HTTP ${http} is nowhere`;
        const other = gap.replacement?.method ?? '';
        const isKnown = replacement?.some((each) => other === each || other.startsWith(`${each}/`));
        return isKnown === false ? `${name} over ${kind} is replaced by ${other}` : undefined;
      }),
  );
}

function checkRpcMethod({ method = '', params, result = [], over, unsafe, encoded = {} }: Row, { spec }: Source) {
  const found = spec.rpc.methods[method];
  if (found === undefined) return 'the spec has no such method';
  const names = found.params.map(({ name }) => name);
  const isEmpty = params?.length === 0;
  const { encodings = {} } = spec.rpc;
  return (
    (isEmpty ? differ('parameters', [], names) : undefined) ??
    first(params ?? [], (name) => (names.includes(name) ? undefined : `it has no parameter ${name}`)) ??
    first(Object.entries(encoded), ([name, text]) => {
      const type = found.params.find((param) => param.name === name)?.type;
      return differ(`encoding of ${name}`, text, type && encodings[type]?.uri);
    }) ??
    (over === undefined ? undefined : differ('transports', over, found.over)) ??
    (unsafe === undefined ? undefined : differ('unsafe', unsafe, found.unsafe)) ??
    first(result, (path) => (shapeHolds(spec, found.result, path.split('.')) ? undefined : `its result has no ${path}`))
  );
}

function shapeHolds({ rpc }: Spec, shape: string | undefined, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const type = rpc.shapes[shape ?? '']?.[name];
  return type !== undefined && (rest.length === 0 || shapeHolds({ rpc } as Spec, type.replace(/[?~[\]]/g, ''), rest));
}

/** Reason why a pair is not served; `undefined` if it is served. */
function gapOf(
  { availability }: Spec,
  service: string,
  method: string,
  kind: TransportKind,
): Gap | 'absent' | undefined {
  const line = availability.services[service]?.[method]?.[kind];
  return line === 'served' ? undefined : (availability.unserved[line ?? ''] ?? 'absent');
}

function typeOf(field: Field): string {
  if (field.kind === 'map') return typeOf({ ...field, ...field.value });
  if (field.kind === 'enum') return field.enum().name;
  return field.kind === 'message' ? field.message().name : field.kind;
}

function hasField(message: string, field: string): boolean {
  return messageByName(message)?.fields.some(({ name }) => name === field) === true;
}

function lacks(message: string, field: string): string | undefined {
  return hasField(message, field) ? undefined : `${message} has no field ${field}`;
}

function differ(what: string, documented: unknown, spec: unknown): string | undefined {
  if (isDeepStrictEqual(documented, spec)) return undefined;
  return `${what} is ${JSON.stringify(documented)} there and ${JSON.stringify(spec)} in the spec`;
}

function first<T>(list: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

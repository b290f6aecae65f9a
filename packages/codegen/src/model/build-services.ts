import type { DescField, DescMessage, DescMethod, DescService, Message } from '@bufbuild/protobuf';

import { CodegenError } from '../codegen-error.js';
import { shown } from '../load/check-path.js';
import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';
import { toConstantName, toModulePath } from '../naming/case.js';
import { NamesInScope } from '../naming/reserved.js';
import { availabilityOf } from './availability.js';
import { checkRoutes } from './check-routes.js';
import { docOfMethod } from './docs.js';
import type { LegacyRouteModel, ListModel, MethodModel, RestRuleModel, ServiceModel } from './model.js';
import { servedServices } from './reach.js';
import { ownValue } from '../own-value.js';

/** The served services. Facts of the spec are applied to the descriptors, and each must match a declaration. */
export function buildServices(linked: Linked, spec: Spec): ServiceModel[] {
  // `HTTPServer` and `HttpServer` have one path, and the two module names of the emitter are reserved.
  const paths = new NamesInScope(['all', 'availability']);
  const services = servedServices(linked, spec).map((service) => {
    checkNoForeignMethods(service, spec);
    const names = new NamesInScope();
    return {
      name: service.typeName,
      path: paths.take(toModulePath(service.typeName)),
      methods: service.methods.map((method) => {
        const constant = names.take(toConstantName(method.name), reasonConstants);
        return buildMethod(method, constant, linked, spec);
      }),
    };
  });
  checkRoutes(services, linked);
  return services;
}

function checkNoForeignMethods(service: DescService, spec: Spec): void {
  for (const method of Object.keys(ownValue(spec.availability.services, service.typeName) ?? {})) {
    if (service.methods.some(({ name }) => name === method)) continue;
    throw new SpecError(
      'availability',
      ['services', service.typeName, method],
      `${service.typeName} has no method ${method} in its proto file`,
    );
  }
}

/** Constants of the reasons that may accompany a method. */
function reasonConstants(constant: string): string[] {
  return ['Grpc', 'Rest', 'Abci', 'GrpcRest', 'GrpcAbci', 'RestAbci', 'Anywhere'].map(
    (where) => `${constant}Not${where}`,
  );
}

function buildMethod(method: DescMethod, constant: string, linked: Linked, spec: Spec): MethodModel {
  const service = method.parent.typeName;
  const [rule, ...moreRoutes] = restRules(method, linked);
  const isStream = method.methodKind !== 'unary';
  const declared = { service, method: method.name, hasRule: rule !== undefined, isStream };
  const availability = availabilityOf(spec.availability, declared);
  const fault = (what: string): SpecError =>
    new SpecError(
      'availability',
      ['services', service, method.name, 'rest'],
      `${service}/${method.name} rest: ${what}`,
    );
  const { rest } = availability;
  if (rest.served && !rule) {
    throw fault('served, but its proto file gives it no HTTP rule');
  }
  if (!rest.served && rest.kind === 'no_rule' && rule && !isStream) {
    throw fault(`no_rule, but its proto file has ${rule.path}`);
  }
  const list = listOf(method, spec);
  const doc = docOfMethod(spec, `${service}/${method.name}`);
  // A route that another one hides, or that returns unimplemented, is mounted too.
  const mounted = rest.served || rest.kind === 'unimplemented' || rest.kind === 'shadowed';
  return {
    service,
    name: method.name,
    ...(doc !== undefined && { doc }),
    constant,
    request: method.input.typeName,
    response: method.output.typeName,
    ...(list && { list }),
    ...(isStream && { stream: streamOf(method) }),
    ...(rule && mounted && { rest: rule, ...(moreRoutes.length > 0 && { moreRoutes }) }),
    availability,
  };
}

function listOf(method: DescMethod, { lists }: Spec): ListModel | undefined {
  const service = method.parent.typeName;
  const facts = ownValue(ownValue(lists.methods, service), method.name);
  if (facts === undefined) return undefined;
  const field = method.output.fields.find(({ name }) => name === facts.items);
  if (field?.fieldKind !== 'list') {
    throw new SpecError(
      'lists',
      ['methods', service, method.name, 'items'],
      `${facts.items} is no list of ${method.output.typeName}`,
    );
  }
  const keyFirst = Object.hasOwn(lists.defects, `${service}/${method.name}`);
  return { items: facts.items, paging: facts.paging ?? 'key', keyFirst };
}

interface HttpRule extends Message {
  readonly pattern: { readonly case?: string; readonly value?: unknown };
  readonly body: string;
  readonly additionalBindings: readonly HttpRule[];
}

const verbs = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** Routes of a method: the one of its rule, then the additional bindings. */
export function restRules(method: DescMethod, linked: Linked): RestRuleModel[] {
  const rule = linked.option(method.proto.options, 'google.api.http') as HttpRule | undefined;
  return rule === undefined ? [] : [rule, ...rule.additionalBindings].map((each) => restRule(method, each));
}

function restRule(method: DescMethod, { pattern, body }: HttpRule): RestRuleModel {
  const fault = (what: string): CodegenError =>
    new CodegenError(`${method.parent.file.proto.name}: ${method.parent.typeName}/${method.name}: HTTP rule: ${what}`);
  const { case: verb, value: path } = pattern;
  if (!isVerb(verb) || typeof path !== 'string' || !path.startsWith('/')) {
    throw fault(
      `${[verb, path].filter((part) => typeof part === 'string').join(' ')}; a rule is one of ${Object.keys(verbs).join(', ')} with a path that begins with /`,
    );
  }
  if (!/^[\w\-.~!$&'()*+,;=:@%/{}]+$/.test(path)) {
    throw fault(`${shown(path)}; a path holds letters, digits and the marks of a URL, and parameters in braces`);
  }
  const has = (type: DescMessage | undefined, name: string): DescField | undefined =>
    type?.fields.find((field) => field.name === name);
  if (body !== '' && body !== '*' && !has(method.input, body)) {
    throw fault(`its body ${body} is no field of ${method.input.typeName}`);
  }
  for (const [, name = ''] of path.matchAll(/\{([^}=]+)(?:=[^}]*)?\}/g)) {
    let type: DescMessage | undefined = method.input;
    for (const part of name.split('.')) {
      const field = has(type, part);
      if (!field) throw fault(`its path names ${name}, which ${method.input.typeName} does not have`);
      type = field.message;
    }
  }
  return { verb: verbs[verb], path, ...(body !== '' && { body }) };
}

function isVerb(verb: string | undefined): verb is keyof typeof verbs {
  return verb !== undefined && Object.hasOwn(verbs, verb);
}

const streams = {
  client_streaming: 'client',
  server_streaming: 'server',
  bidi_streaming: 'bidirectional',
  unary: undefined,
} as const;

function streamOf(method: DescMethod): 'client' | 'server' | 'bidirectional' {
  return streams[method.methodKind] ?? 'bidirectional';
}

/** Routes that are still mounted although their service was removed, checked against the rules in proto/. */
export function buildLegacyRoutes(linked: Linked, spec: Spec): LegacyRouteModel[] {
  const services = Object.entries(spec.availability.legacy_routes).sort(([a], [b]) => (a < b ? -1 : 1));
  return services.flatMap(([name, { mounted, routes }]) => {
    const service = linked.registry.getService(name);
    const fault = (what: string): SpecError => new SpecError('availability', ['legacy_routes', name], what);
    if (!service) throw fault(`no proto file declares the service ${name}`);
    const declared = service.methods.flatMap((method) => restRules(method, linked).map(({ path }) => path));
    const missing = declared.find((path) => !routes.includes(path));
    if (missing) throw fault(`${name} has no line for ${missing}`);
    const extra = routes.find((path) => !declared.includes(path));
    if (extra) throw fault(`its proto file gives ${name} no route ${extra}`);
    return mounted ? declared.map((path) => ({ service: name, path })) : [];
  });
}

import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';

import { CodegenError } from '../codegen-error.js';
import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';
import { avoidReserved, toConstantName, toModulePath } from '../naming/case.js';
import { availabilityOf } from './availability.js';
import type { LegacyRouteModel, ListModel, MethodModel, RestRuleModel, ServiceModel } from './model.js';
import { servedServices } from './reach.js';

/** The served services. Facts of the spec are laid over the descriptors, and each must find its counterpart. */
export function buildServices(linked: Linked, spec: Spec): ServiceModel[] {
  return servedServices(linked, spec).map((service) => {
    checkNoForeignMethods(service, spec);
    return {
      name: service.typeName,
      path: toModulePath(service.typeName),
      methods: service.methods.map((method) => buildMethod(method, linked, spec)),
    };
  });
}

function checkNoForeignMethods(service: DescService, spec: Spec): void {
  for (const method of Object.keys(spec.availability.services[service.typeName] ?? {})) {
    if (service.methods.some(({ name }) => name === method)) continue;
    throw new SpecError(
      'availability',
      ['services', service.typeName, method],
      `${service.typeName} has no method ${method} in its proto file`,
    );
  }
}

function buildMethod(method: DescMethod, linked: Linked, spec: Spec): MethodModel {
  const service = method.parent.typeName;
  const rule = restRule(method, linked);
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
  // A route that another one hides, or that answers unimplemented, is mounted all the same.
  const mounted = rest.served || rest.kind === 'unimplemented' || rest.kind === 'shadowed';
  return {
    service,
    name: method.name,
    constant: avoidReserved(toConstantName(method.name)),
    request: method.input.typeName,
    response: method.output.typeName,
    stream: isStream,
    ...(list && { list }),
    ...(rule && mounted && { rest: rule }),
    availability,
  };
}

function listOf(method: DescMethod, { lists }: Spec): ListModel | undefined {
  const service = method.parent.typeName;
  const facts = lists.methods[service]?.[method.name];
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
  readonly additionalBindings: readonly unknown[];
}

function restRule(method: DescMethod, linked: Linked): RestRuleModel | undefined {
  const rule = linked.option(method.proto.options, 'google.api.http') as HttpRule | undefined;
  if (!rule) return undefined;
  const { case: verb, value: path } = rule.pattern;
  const { body } = rule;
  const known = (verb === 'get' || verb === 'post') && typeof path === 'string' && (body === '' || body === '*');
  if (!known || rule.additionalBindings.length > 0) {
    throw new CodegenError(
      `${method.parent.file.proto.name}: ${method.parent.typeName}/${method.name}: HTTP rule ${String(verb)} with body "${body}"; the generator knows one get or post, body empty or *`,
    );
  }
  return { verb: verb === 'get' ? 'GET' : 'POST', path, ...(body === '*' && { body }) };
}

/** Routes that are mounted although their service is gone, checked against the rules in proto/. */
export function buildLegacyRoutes(linked: Linked, spec: Spec): LegacyRouteModel[] {
  const services = Object.entries(spec.availability.legacy_routes).sort(([a], [b]) => (a < b ? -1 : 1));
  return services.flatMap(([name, { mounted, routes }]) => {
    const service = linked.registry.getService(name);
    const fault = (what: string): SpecError => new SpecError('availability', ['legacy_routes', name], what);
    if (!service) throw fault(`no proto file declares the service ${name}`);
    const declared = service.methods.flatMap((method) => restRule(method, linked)?.path ?? []);
    const missing = declared.find((path) => !routes.includes(path));
    if (missing) throw fault(`${name} has no line for ${missing}`);
    const extra = routes.find((path) => !declared.includes(path));
    if (extra) throw fault(`its proto file gives ${name} no route ${extra}`);
    return mounted ? declared.map((path) => ({ service: name, path })) : [];
  });
}

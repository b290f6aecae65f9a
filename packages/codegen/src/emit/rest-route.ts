import { CodegenError } from '../codegen-error.js';
import type { FieldModel, MessageModel, MethodModel, Model, RestRuleModel } from '../model/model.js';

/** A value in the path or query of a route. */
export interface RouteParam {
  /** Name from the proto file; members of nested messages are separated by dots. */
  readonly name: string;
  readonly field: FieldModel;
}

export interface RestRoute {
  readonly method: MethodModel;
  readonly rule: RestRuleModel;
  readonly path: readonly RouteParam[];
  /** Empty if the body is the whole message, because the gateway then ignores the query. */
  readonly query: readonly RouteParam[];
}

/** The routes that the gateway serves, sorted by verb and path. */
export function servedRoutes(model: Model): RestRoute[] {
  return model.services
    .flatMap((service) => service.methods)
    .filter((method) => method.availability.rest.served)
    .flatMap((method) => {
      const rules = method.rest ? [method.rest, ...(method.moreRoutes ?? [])] : [];
      return rules.map((rule) => describe(method, rule, model));
    })
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Sort key of a route, for example `GET /hub/node/v3/nodes`. */
export function keyOf({ rule }: RestRoute): string {
  return `${rule.verb} ${rule.path}`;
}

function describe(method: MethodModel, rule: RestRuleModel, model: Model): RestRoute {
  const request = messageOf(method.request, model);
  const inPath = [...rule.path.matchAll(/\{([^}=]+)(?:=[^}]*)?\}/g)].map(([, name = '']) => name);
  const path = inPath.map((name) => ({ name, field: fieldAt(name, request, model) }));
  const isFree = ({ name }: RouteParam): boolean =>
    !inPath.includes(name) && name !== rule.body && !name.startsWith(`${rule.body ?? ''}.`);
  const query = rule.body === '*' ? [] : queryParams(request, model, '', []).filter(isFree);
  return { method, rule, path, query };
}

function messageOf(name: string, model: Model): MessageModel {
  const message = model.messages.get(name);
  if (!message) throw new CodegenError(`${name} is used but not reached`);
  return message;
}

function fieldAt(name: string, request: MessageModel, model: Model): FieldModel {
  let message = request;
  const parts = name.split('.');
  for (const part of parts.slice(0, -1)) {
    const field = message.fields.find((candidate) => candidate.name === part);
    message = messageOf(field?.kind === 'message' ? field.message : `${message.name}.${part}`, model);
  }
  const field = message.fields.find((candidate) => candidate.name === parts.at(-1));
  if (!field) throw new CodegenError(`${request.name} has no field ${name}, which its route names`);
  return field;
}

function queryParams(message: MessageModel, model: Model, prefix: string, within: readonly string[]): RouteParam[] {
  return message.fields.flatMap((field): RouteParam[] => {
    const name = `${prefix}${field.name}`;
    if (field.kind === 'message' && !field.repeated) {
      if (within.includes(field.message)) return [];
      return queryParams(messageOf(field.message, model), model, `${name}.`, [...within, field.message]);
    }
    return hasUrlForm(field) ? [{ name, field }] : [];
  });
}

/** Whether the gateway accepts a value of this field in a URL. */
function hasUrlForm({ kind }: FieldModel): boolean {
  return !['map', 'message', 'any', 'int', 'dec', 'decBytes'].includes(kind);
}

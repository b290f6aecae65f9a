import { transportKinds } from '../load/spec-types.js';
import type { MethodModel, Model, RestRuleModel } from '../model/model.js';
import { type InterfaceChange, InterfaceChanges, pairs } from './change.js';

/** Services, methods and routes, and the transports on which they are served. */
export function serviceChanges(old: Model, now: Model): InterfaceChange[] {
  const [wire, availability] = [new InterfaceChanges('wire'), new InterfaceChanges('availability')];
  for (const [name, before, after] of pairs(old.services, now.services, (service) => service.name)) {
    if (!after) wire.breaks('service-removed', name, 'the service is gone');
    else if (!before) wire.adds('service-added', name, 'a new service');
    else {
      for (const [method, was, is] of pairs(before.methods, after.methods, (each) => each.name)) {
        compareMethod(`${name}/${method}`, was, is, wire, availability);
      }
    }
  }
  for (const [name, before, after] of pairs(messagesOf(old), messagesOf(now), (msg) => msg.request)) {
    if (!after) wire.breaks('transaction-removed', name, 'is no message of transactions any more');
    else if (!before) wire.adds('transaction-added', name, 'a new message of transactions');
    else if (before.response !== after.response) {
      wire.breaks('transaction-retyped', name, `its answer ${before.response} is now ${after.response}`);
    }
  }
  return [...wire.list, ...availability.list];
}

function messagesOf({ msgServices }: Model) {
  return msgServices.flatMap(({ msgs }) => msgs);
}

function compareMethod(
  name: string,
  old: MethodModel | undefined,
  now: MethodModel | undefined,
  wire: InterfaceChanges,
  availability: InterfaceChanges,
): void {
  if (!now) return wire.breaks('method-removed', name, 'the method is gone');
  if (!old) return wire.adds('method-added', name, 'a new method');
  if (old.request !== now.request) wire.breaks('method-retyped', name, `takes ${now.request}, not ${old.request}`);
  if (old.response !== now.response) wire.breaks('method-retyped', name, `gives ${now.response}, not ${old.response}`);
  if (old.stream !== now.stream) {
    wire.breaks('method-streaming', name, `streams ${old.stream ?? 'nothing'} before, ${now.stream ?? 'nothing'} now`);
  }
  compareRoutes(name, old, now, wire);
  for (const kind of transportKinds) {
    const [was, is] = [old.availability[kind], now.availability[kind]];
    if (was.served && !is.served)
      availability.breaks('unserved', name, `is served over ${kind} no more: ${is.sentence}`);
    else if (!was.served && is.served) availability.adds('served', name, `is served over ${kind} now`);
    else if (!was.served && !is.served && was.sentence !== is.sentence) {
      availability.words('reason', name, `the reason over ${kind} reads: ${is.sentence}`);
    }
  }
}

function compareRoutes(name: string, old: MethodModel, now: MethodModel, wire: InterfaceChanges): void {
  const textsOf = ({ rest, moreRoutes = [] }: MethodModel): string[] =>
    (rest === undefined ? [] : [rest, ...moreRoutes]).map(routeText);
  const [before, after] = [textsOf(old), textsOf(now)];
  for (const route of before.filter((each) => !after.includes(each))) {
    wire.breaks('route-removed', name, `the route ${route} is gone`);
  }
  for (const route of after.filter((each) => !before.includes(each))) {
    wire.adds('route-added', name, `a new route ${route}`);
  }
}

function routeText({ verb, path, body }: RestRuleModel): string {
  return `${verb} ${path}${body === undefined ? '' : ` with the body ${body}`}`;
}

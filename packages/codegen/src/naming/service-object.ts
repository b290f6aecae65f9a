import { toCamelCase } from './case.js';
import { avoidReserved } from './reserved.js';

/**
 * Name of the object of a service: the last word of its package and the purpose of the service.
 * `hub.node.v3.QueryService` and `stack.bank.v1beta1.Query` become `NodeQuery` and `BankQuery`,
 * `stack.base.node.v1beta1.Service` becomes `NodeService`. A service whose own name contains that word keeps it:
 * `ReflectionService`. Versions of a package share a name, as their messages do.
 */
export function serviceObjectName(service: string): string {
  const segments = service.split('.');
  const own = segments.pop() ?? service;
  const word = segments.findLast((segment) => !/^v\d+((?:alpha|beta)\d*)?$/.test(segment));
  if (word === undefined) return avoidReserved(own);
  const subject = capitalised(toCamelCase(word));
  if (own.toLowerCase().includes(subject.toLowerCase())) return avoidReserved(own);
  return avoidReserved(subject + capitalised(own.replace(/(?<=.)Service$/, '')));
}

/** `hub.node.v3` for `hub.node.v3.QueryService`; empty if the name has no package. */
export function packageOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

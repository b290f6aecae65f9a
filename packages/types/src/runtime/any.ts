import type { Naming } from './naming.js';
import type { AnyTable, FieldOf, MessageTable } from './table.js';

/** Table of the message that a neutral type URL names, where the field is known to carry it. */
export function anyMember(field: FieldOf<'any'>, typeUrl: string): MessageTable | undefined {
  if (field.any === undefined || !typeUrl.startsWith('/')) return undefined;
  return lookUp(field.any(), typeUrl.slice(1));
}

/**
 * Type URL of what an Any field holds, neutral. Tables with the names of a network burnt in know it as it stands on the
 * wire, under any naming.
 */
export function anyUrl(field: FieldOf<'any'>, wireUrl: string, naming: Naming): string {
  return anyMember(field, wireUrl) === undefined ? naming.typeFromWire(wireUrl) : wireUrl;
}

function lookUp(table: AnyTable, name: string): MessageTable | undefined {
  // The name comes from the network: `constructor` must not find the one of Object.
  return Object.hasOwn(table, name) ? table[name]?.() : undefined;
}

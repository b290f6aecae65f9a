import type { Naming } from './naming.js';
import type { AnyTable, FieldOf, MessageTable } from './table.js';

/** Table of the message with a neutral type URL; `undefined` if the field is not known to contain it. */
export function anyMember(field: FieldOf<'any'>, typeUrl: string): MessageTable | undefined {
  if (field.any === undefined || !typeUrl.startsWith('/')) return undefined;
  return lookUp(field.any(), typeUrl.slice(1));
}

/**
 * Neutral type URL of the message in an `Any` field. Tables generated with the names of one network contain the type URL from
 * the wire. They use it unchanged with any naming.
 */
export function anyUrl(field: FieldOf<'any'>, wireUrl: string, naming: Naming): string {
  return anyMember(field, wireUrl) === undefined ? naming.typeFromWire(wireUrl) : wireUrl;
}

function lookUp(table: AnyTable, name: string): MessageTable | undefined {
  // The name is untrusted input: `constructor` must not resolve to the member of Object.prototype.
  return Object.hasOwn(table, name) ? table[name]?.() : undefined;
}

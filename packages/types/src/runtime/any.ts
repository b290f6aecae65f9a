import type { AnyTable, Field, MessageTable } from './table.js';

/** Table of the message that a neutral type URL names, where the field is known to carry it. */
export function anyMember(field: Field, typeUrl: string): MessageTable | undefined {
  if (field.any === undefined || !typeUrl.startsWith('/')) return undefined;
  return lookUp(field.any(), typeUrl.slice(1));
}

/**
 * Table of a field that holds messages of several interfaces. It is joined at first use: the modules of the interfaces may
 * import the one of the field, so that none of them can be read while it loads.
 */
export function joinAny(...tables: readonly (() => AnyTable)[]): () => AnyTable {
  let joined: AnyTable | undefined;
  return () => (joined ??= Object.assign({}, ...tables.map((table) => table())) as AnyTable);
}

function lookUp(table: AnyTable, name: string): MessageTable | undefined {
  // The name comes from the network: `constructor` must not find the one of Object.
  return Object.hasOwn(table, name) ? table[name]?.() : undefined;
}

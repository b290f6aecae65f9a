/**
 * Looks up a foreign name in a table that was read from a file; `undefined` if it is not an own property. Every object
 * has `constructor` and `toString`, and a proto file may use these names.
 */
export function ownValue<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Value of a name from outside in a table that was read from a file; `undefined` where the table does not have it itself.
 * Every object has `constructor` and `toString`, and a proto file may use these names.
 */
export function ownValue<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

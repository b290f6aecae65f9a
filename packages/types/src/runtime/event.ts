import { CodecError, ofType, within } from './codec-error.js';
import type { Naming } from './naming.js';
import { fromJson } from './read-json.js';
import type { MessageTable } from './table.js';

/** An attribute as the consensus RPC gives it: of a typed event each value is a JSON text with its own quotes. */
export interface TypedAttribute {
  readonly key: string;
  readonly value: string;
}

/**
 * Reads the attributes of a typed event into the form of its table, the same form that a query would give. Attributes
 * that the table does not know are passed over: the node adds some of its own.
 *
 * @throws CodecError with the attribute that does not fit
 */
export function fromEvent<T>(table: MessageTable<T>, attributes: readonly TypedAttribute[], naming?: Naming): T {
  const known = new Set(table.fields.map((field) => field.name));
  const json: Record<string, unknown> = {};
  for (const { key, value } of attributes) {
    if (!known.has(key)) continue;
    try {
      json[key] = JSON.parse(value);
    } catch (error) {
      throw ofType(within(new CodecError(`the attribute holds no JSON: ${(error as Error).message}`), key), table.name);
    }
  }
  return fromJson(table, json, naming);
}

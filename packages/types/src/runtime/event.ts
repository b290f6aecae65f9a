import { fromBase64 } from './base64.js';
import { CodecError, ofType, within } from './codec-error.js';
import { setMember } from './form-member.js';
import type { Naming } from './naming.js';
import { fromJson } from './read-json.js';
import type { MessageTable } from './table.js';

/** An attribute in the form of the consensus RPC: for a typed event, each value is a JSON text including its quotes. */
export interface TypedAttribute {
  readonly key: string;
  /** `null` and the empty text count as an absent attribute. */
  readonly value: string | null;
}

/** The decoded form of a typed event, with the attributes that did not fit. */
export interface EventReading<T> {
  /** Decoded form; an attribute that does not fit has the default of its field. */
  readonly value: T;
  readonly faults: readonly CodecError[];
}

/**
 * Reads the attributes of a typed event into the form of its table, the same form as in a query result. Attributes that
 * the table does not know are skipped: the node adds some.
 *
 * @throws CodecError with the attribute that does not fit
 */
export function fromEvent<T>(table: MessageTable<T>, attributes: readonly TypedAttribute[], naming?: Naming): T {
  const known = new Set(table.fields.map((field) => field.name));
  const json: Record<string, unknown> = {};
  for (const { key, value } of plainAttributes(attributes, known)) {
    if (!known.has(key) || value === null || value === '') continue;
    try {
      setMember(json, key, JSON.parse(value));
    } catch (error) {
      throw ofType(within(new CodecError(`the attribute holds no JSON: ${(error as Error).message}`), key), table.name);
    }
  }
  return fromJson(table, json, naming);
}

/**
 * {@link fromEvent} for a reader that must not lose an event: an attribute that does not fit is reported and omitted.
 */
export function readEvent<T>(
  table: MessageTable<T>,
  attributes: readonly TypedAttribute[],
  naming?: Naming,
): EventReading<T> {
  try {
    return { value: fromEvent(table, attributes, naming), faults: [] };
  } catch {
    // Read again, one by one.
  }
  const faults: CodecError[] = [];
  const fitting = attributes.filter((attribute) => {
    try {
      fromEvent(table, [attribute], naming);
      return true;
    } catch (error) {
      faults.push(error as CodecError);
      return false;
    }
  });
  return { value: fromEvent(table, fitting, naming), faults };
}

/**
 * Display text of an attribute of a typed event: a string without its JSON quotes, other values unchanged.
 *
 * ```ts
 * attributeText('"12"'); // 12
 * ```
 */
export function attributeText(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    const text: unknown = JSON.parse(value);
    return typeof text === 'string' ? text : value;
  } catch {
    // A value from an event without a message, which is not JSON.
    return value;
  }
}

/** Engine 0.34 encodes keys and values in base64: detected if no key is a field unless it is decoded. */
function plainAttributes(attributes: readonly TypedAttribute[], known: ReadonlySet<string>): readonly TypedAttribute[] {
  if (attributes.some(({ key }) => known.has(key))) return attributes;
  const read = attributes.map(({ key, value }) => ({
    key: textOfBase64(key) ?? key,
    value: value === null ? null : (textOfBase64(value) ?? value),
  }));
  return read.some(({ key }) => known.has(key)) ? read : attributes;
}

function textOfBase64(text: string): string | undefined {
  try {
    return new TextDecoder().decode(fromBase64(text));
  } catch {
    // Not base64, so not of that engine.
    return undefined;
  }
}

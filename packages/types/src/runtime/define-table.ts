import { lowerCamelCase } from './form-member.js';
import type { AnyTable, Carrier, EnumTable, Field, MessageTable } from './table.js';

type Reference = MessageTable | EnumTable | AnyTable | Carrier;

/**
 * Creates a table from its short notation: fields separated by commas, `[no:]name [kind][*][!|?][=][@oneof]`. A number
 * that is one more than the previous one is omitted, and so is the kind `string`. `*` means repeated, `!` always, `?` optional,
 * `=` contains names.
 *
 * Tables are the largest part of a query in a browser bundle, and most of them are never used in a run. The notation is
 * therefore a string that is parsed when the fields are first accessed.
 *
 * @param references tables of fields with a message, an enum or an `Any`, and carriers of fields with names, in field order
 * @param carries carrier of the message as a whole
 */
export function defineTable<T>(
  name: string,
  notation = '',
  references?: () => readonly Reference[],
  carries?: Carrier<Record<string, unknown>>,
): MessageTable<T> {
  let fields: readonly Field[] | undefined;
  return {
    name,
    ...(carries && { carries }),
    get fields() {
      return (fields ??= readFields(notation, references));
    },
  };
}

const notationOfField = /(?:(\d+):)?(\w+)(?: ([\w.]+))?(\*?)([!?]?)(=?)(?:@(\w+))?(?:,|$)/g;

function readFields(notation: string, references: (() => readonly Reference[]) | undefined): Field[] {
  const fields: Field[] = [];
  let held: readonly Reference[] | undefined;
  let referred = 0;
  let last = 0;
  const nextReference = (): (() => Reference | undefined) => {
    const at = referred++;
    return () => (held ??= references?.() ?? [])[at];
  };
  for (const [, no, name = '', kinds = 'string', repeated, presence, carries, oneof] of notation.matchAll(
    notationOfField,
  )) {
    // The kind of a map is written as `map.key.value`.
    const [kind, key, value] = kinds.split('.');
    const single = value ?? kind;
    const shape =
      single === 'message' || single === 'enum' || single === 'any'
        ? { kind: single, [single]: nextReference() }
        : { kind: single };
    fields.push({
      no: (last = no === undefined ? last + 1 : Number(no)),
      name,
      prop: lowerCamelCase(name),
      ...(repeated && { repeated: true }),
      ...(presence === '!' && { always: true }),
      ...(presence === '?' && { optional: true }),
      ...(oneof !== undefined && { oneof }),
      ...(value === undefined ? shape : { kind, key, value: shape }),
      ...(carries && { carries: nextReference() }),
    } as Field);
  }
  return fields;
}

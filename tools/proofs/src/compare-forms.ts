import { memberOf } from '@hubwatch/types/runtime/form-member';
import type { MessageTable } from '@hubwatch/types/runtime/table';

type Form = Readonly<Record<string, unknown>>;

/** A form in which contract JSON is replaced by its value: over REST the original bytes are lost. */
export function withJsonValues(table: MessageTable, form: Form): Form {
  const result: Record<string, unknown> = { ...form };
  for (const field of table.fields) {
    const member = memberOf(field);
    const held = form[member];
    if (field.oneof !== undefined) {
      const chosen = held as { $case: string; value: unknown } | undefined;
      if (chosen?.$case === field.prop && field.kind === 'message') {
        result[member] = { $case: chosen.$case, value: withJsonValues(field.message(), chosen.value as Form) };
      }
      continue;
    }
    const convert = (value: unknown): unknown => {
      if (field.kind === 'rawJson') return jsonValue(value as Uint8Array);
      if (value === undefined) return value;
      if (field.kind === 'message') return withJsonValues(field.message(), value as Form);
      if (field.kind === 'any') return anyWithJsonValues(value as AnyForm, field.any?.() ?? {});
      return value;
    };
    result[member] = field.repeated ? (held as unknown[]).map(convert) : convert(held);
  }
  return result;
}

interface AnyForm {
  readonly typeUrl: string;
  readonly value?: Form;
}

function anyWithJsonValues(any: AnyForm, tables: Readonly<Record<string, () => MessageTable>>): unknown {
  const table = tables[any.typeUrl.slice(1)]?.();
  return any.value === undefined || table === undefined ? any : { ...any, value: withJsonValues(table, any.value) };
}

function jsonValue(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}

/** Sorts every list in a value, for responses whose lists come in random order. */
export function withSortedLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedLists).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withSortedLists(member)]));
}

function textOf(value: unknown): string {
  return JSON.stringify([value], (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member));
}

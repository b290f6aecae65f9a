import { memberOf } from '@hubwatch/types/runtime/form-member';
import type { MessageTable } from '@hubwatch/types/runtime/table';

type Form = Readonly<Record<string, unknown>>;

/** A message in an Any field. */
export interface AnyMember {
  /** `<message>.<field>`. */
  readonly field: string;
  readonly typeUrl: string;
  /** Whether the field's union contains the type, so that the message was decoded. */
  readonly isKnown: boolean;
}

/** Iterates over the messages in all Any fields of a form, including messages nested inside others. */
export function* anyMembers(table: MessageTable, form: Form): Generator<AnyMember> {
  for (const field of table.fields) {
    if (field.kind !== 'message' && field.kind !== 'any') continue;
    for (const held of valuesOf(form[memberOf(field)], field.oneof === undefined ? undefined : field.prop)) {
      if (field.kind === 'message') {
        yield* anyMembers(field.message(), held as Form);
        continue;
      }
      const { typeUrl, value } = held as { typeUrl: string; value?: Form };
      yield { field: `${table.name}.${field.name}`, typeUrl, isKnown: value !== undefined };
      const inner = field.any?.()[typeUrl.slice(1)]?.();
      if (inner && value !== undefined) yield* anyMembers(inner, value);
    }
  }
}

/** Values of a field in a form's member: none, one value, or the items of a list. */
function valuesOf(held: unknown, oneofCase: string | undefined): readonly unknown[] {
  if (Array.isArray(held)) return held;
  if (oneofCase === undefined) return held === undefined ? [] : [held];
  const chosen = held as { $case: string; value: unknown } | undefined;
  return chosen?.$case === oneofCase ? [chosen.value] : [];
}

import { type SmallKind, string } from './table.js';

type Form = Record<string, unknown>;

/** A field of a oneof: absent is none, not the default value. */
export function optional(kind: SmallKind = string): SmallKind {
  return (raw, walk) => (raw == null ? undefined : kind(raw, walk, 1));
}

/**
 * A message with oneofs: the form holds the member that is set as `{ $case, value }` under the name of its oneof.
 *
 * @param oneofs name of the oneof by member
 */
export function choice<T>(oneofs: Readonly<Record<string, string>>, message: SmallKind): SmallKind<T> {
  return (raw, walk, always) => {
    const form = message(withMembers(raw, oneofs), walk, always) as Form | undefined;
    // A writer gives bytes or a list, which hold the member already.
    if (form?.constructor !== Object) return form as T;
    const chosen: Form = {};
    for (const [member, value] of Object.entries(form)) {
      const oneof = oneofs[member];
      if (oneof === undefined) chosen[member] = value;
      else chosen[oneof] = value === undefined ? chosen[oneof] : { $case: member, value };
    }
    return chosen as T;
  };
}

/** What a caller gives, with the member that is set as a field; what JSON or the wire gives as it is. */
function withMembers(raw: unknown, oneofs: Readonly<Record<string, string>>): unknown {
  const members: Form = {};
  for (const oneof of Object.values(oneofs)) {
    const set = (raw as Form | undefined)?.[oneof] as { readonly $case?: string; readonly value: unknown } | undefined;
    if (typeof set?.$case === 'string') members[set.$case] = set.value;
  }
  return Object.keys(members).length > 0 ? { ...(raw as Form), ...members } : raw;
}

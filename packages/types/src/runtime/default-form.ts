import { zeroDec, zeroInt } from './dec.js';
import { memberOf } from './form-member.js';
import type { Field, Kind, MessageTable } from './table.js';

/** Value of a field that is absent on the wire. */
export function defaultValue(field: Field): unknown {
  if (field.oneof !== undefined || field.optional) return undefined;
  if (field.kind === 'map') return {};
  if (field.repeated) return [];
  if (field.kind === 'message') return field.always ? defaultForm(field.message()) : undefined;
  if (field.kind === 'duration') return field.always ? { seconds: 0n, nanos: 0 } : undefined;
  return defaultScalar(field.kind);
}

/** Zero value of a kind; `undefined` if a value of the kind may be absent. */
export function defaultScalar(kind: Kind): unknown {
  switch (kind) {
    case 'bool':
      return false;
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
    case 'sfixed64':
      return 0n;
    case 'string':
    case 'decText':
      return '';
    case 'bytes':
    case 'hex':
    case 'rawJson':
      return new Uint8Array(0);
    case 'int':
      return zeroInt;
    case 'dec':
    case 'decBytes':
      return zeroDec;
    case 'timestamp':
    case 'duration':
    case 'any':
    case 'message':
    case 'map':
      return undefined;
    default:
      return 0;
  }
}

/** The form of a message without fields: the decoded form of an empty message. */
export function defaultForm<T>(table: MessageTable<T>): T {
  const form: Record<string, unknown> = {};
  for (const field of table.fields) form[memberOf(field)] = defaultValue(field);
  return form as T;
}

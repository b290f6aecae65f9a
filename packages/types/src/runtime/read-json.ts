import { anyMember, anyUrl } from './any.js';
import { fromBase64, fromHex } from './base64.js';
import { CodecError, ofType, within } from './codec-error.js';
import { readDec, readInt } from './dec.js';
import { defaultForm, defaultScalar, defaultValue } from './default-form.js';
import { readEnum } from './enum.js';
import { memberOf, setMember } from './form-member.js';
import { jsonKind } from './json-kind.js';
import { maxDepth } from './limits.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { printJson } from './parse-json.js';
import { type Field, type FieldOf, type Kind, mapValue, type MessageTable } from './table.js';
import { readDuration, readTimestamp } from './time.js';
import type { AnyUnknown } from './values.js';
import { isWellKnown } from './well-known.js';

type Json = Readonly<Record<string, unknown>>;
type Form = Record<string, unknown>;

/**
 * Reads parsed JSON of the REST gateway into the form of a table. Accepts original and lowerCamelCase member names,
 * enum texts and numbers, and absent members; members that the table does not know are skipped.
 *
 * @param naming names on the wire; `@type` and member names are returned neutral
 * @throws CodecError with the path of the member that does not fit
 */
export function fromJson<T>(table: MessageTable<T>, json: unknown, naming: Naming = identityNaming): T {
  try {
    return readMessage(table, json, naming, 0) as T;
  } catch (error) {
    throw ofType(error, table.name);
  }
}

function readMessage(table: MessageTable, json: unknown, naming: Naming, depth: number): Form {
  if (depth > maxDepth) throw new CodecError(`messages are nested deeper than ${maxDepth}`);
  const members = objectOf(json);
  const form: Form = {};
  for (const field of table.fields) {
    const member = memberOf(field);
    const value = memberValue(members, field, naming);
    try {
      if (field.oneof === undefined) {
        form[member] =
          value === undefined || value === null ? defaultValue(field) : readField(field, value, naming, depth);
      } else if (value !== undefined && value !== null) {
        form[member] = { $case: field.prop, value: readValue(field, value, naming, depth) };
      } else if (!Object.hasOwn(form, member)) form[member] = undefined;
    } catch (error) {
      throw within(error, field.name);
    }
  }
  return table.carries?.fromWire(form, naming) ?? form;
}

function memberValue(members: Json, field: Field, naming: Naming): unknown {
  const wireName = naming.memberToWire(field.name);
  if (Object.hasOwn(members, wireName)) return members[wireName];
  if (Object.hasOwn(members, field.name)) return members[field.name];
  const wireProp = naming.memberToWire(field.prop);
  return Object.hasOwn(members, wireProp)
    ? members[wireProp]
    : Object.hasOwn(members, field.prop)
      ? members[field.prop]
      : undefined;
}

function objectOf(json: unknown): Json {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  throw new CodecError(`an object is expected, not ${jsonKind(json)}`);
}

/** Reads one member of a message; the value is present and not `null`. */
export function readField(field: Field, json: unknown, naming: Naming, depth: number): unknown {
  if (field.kind === 'map') {
    const valueField = mapValue(field);
    const map: Form = {};
    for (const [key, value] of Object.entries(objectOf(json))) {
      setMember(map, key, value === null ? defaultValue(valueField) : readValue(valueField, value, naming, depth));
    }
    return map;
  }
  if (!field.repeated) return readValue(field, json, naming, depth);
  if (!Array.isArray(json)) throw new CodecError(`a list is expected, not ${jsonKind(json)}`);
  return json.map((item, index) => {
    try {
      return item === null ? nullItem(field) : readValue(field, item, naming, depth);
    } catch (error) {
      throw within(error, `[${index}]`);
    }
  });
}

/** Default of an element: the gateway prints empty bytes in a list as `null`. */
export function nullItem(field: Field): unknown {
  return field.kind === 'message' ? defaultForm(field.message()) : defaultScalar(field.kind);
}

/** Reads one value, alone or in a list; an empty text is the zero value of a kind other than text. */
export function readValue(field: Field, json: unknown, naming: Naming, depth: number): unknown {
  switch (field.kind) {
    case 'message':
      return readMessage(field.message(), json, naming, depth + 1);
    case 'any':
      return readAny(field, json, naming, depth);
    case 'enum':
      if (json === '') return 0;
      return typeof json === 'number' ? integer(json, -(2 ** 31), 2 ** 31 - 1) : readEnum(field.enum(), textOf(json));
    case 'timestamp':
      return json === '' ? undefined : readTimestamp(textOf(json));
    case 'duration':
      if (json !== '') return readDuration(textOf(json));
      return field.always ? { seconds: 0n, nanos: 0 } : undefined;
    case 'string':
      return field.carries === undefined ? textOf(json) : field.carries().fromWire(textOf(json), naming);
    default:
      return readScalar(field.kind, json);
  }
}

function readAny(field: FieldOf<'any'>, json: unknown, naming: Naming, depth: number): unknown {
  const members = objectOf(json);
  const typeUrl = anyUrl(field, textOf(members['@type'] ?? ''), naming);
  const table = anyMember(field, typeUrl);
  if (table === undefined) {
    const raw = Object.fromEntries(Object.entries(members).filter(([name]) => name !== '@type'));
    return { typeUrl, raw } satisfies AnyUnknown<string>;
  }
  if (!isWellKnown(table.name)) return { typeUrl, value: readMessage(table, members, naming, depth + 1) };
  return { typeUrl, value: readWellKnown(table, members['value']) };
}

function readWellKnown(table: MessageTable, value: unknown): unknown {
  const form = defaultForm(table);
  if (table.name === 'google.protobuf.Timestamp') return { ...(form as object), ...readTimestamp(textOf(value)) };
  if (table.name === 'google.protobuf.Duration') return { ...(form as object), ...readDuration(textOf(value)) };
  return form;
}

function textOf(json: unknown): string {
  if (typeof json === 'string') return json;
  throw new CodecError(`a text is expected, not ${jsonKind(json)}`);
}

function readScalar(kind: Kind, json: unknown): unknown {
  // The empty text is a valid value of a contract.
  if (json === '' && kind !== 'rawJson') return defaultScalar(kind);
  switch (kind) {
    case 'bool':
      if (typeof json === 'boolean') return json;
      throw new CodecError(`true or false is expected, not ${jsonKind(json)}`);
    case 'int32':
    case 'sint32':
    case 'sfixed32':
      return integer(json, -(2 ** 31), 2 ** 31 - 1);
    case 'uint32':
    case 'fixed32':
      return integer(json, 0, 2 ** 32 - 1);
    case 'int64':
    case 'sint64':
    case 'sfixed64':
      return bigInteger(json, -(1n << 63n), (1n << 63n) - 1n);
    case 'uint64':
    case 'fixed64':
      return bigInteger(json, 0n, (1n << 64n) - 1n);
    case 'float':
    case 'double':
      return float(json);
    case 'string':
    case 'decText':
      return textOf(json);
    case 'bytes':
      return fromBase64(textOf(json));
    case 'hex':
      return fromHex(textOf(json));
    case 'rawJson':
      return new TextEncoder().encode(printJson(json));
    case 'int':
      return readInt(decimalText(json));
    case 'dec':
    case 'decBytes':
      return readDec(decimalText(json));
    default:
      throw new CodecError(`${kind} is not a scalar`);
  }
}

/** Amounts are text; a bare integer from another encoder is accepted if it is exact. */
function decimalText(json: unknown): string {
  return typeof json === 'bigint' || Number.isSafeInteger(json) ? String(json) : textOf(json);
}

function integer(json: unknown, least: number, most: number): number {
  const value = typeof json === 'string' && /^-?\d{1,10}$/.test(json) ? Number(json) : json;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new CodecError(`an integer from ${least} to ${most} is expected, not ${shown(json)}`);
}

function bigInteger(json: unknown, least: bigint, most: bigint): bigint {
  const whole =
    typeof json === 'string' ? /^-?\d{1,20}$/.test(json) : typeof json === 'bigint' || Number.isSafeInteger(json);
  if (whole) {
    const value = BigInt(json as string | number | bigint);
    if (value >= least && value <= most) return value;
  }
  throw new CodecError(`an integer from ${least} to ${most} is expected, not ${shown(json)}`);
}

function float(json: unknown): number {
  if (typeof json === 'number' || typeof json === 'bigint') return Number(json);
  if (json === 'NaN' || json === 'Infinity' || json === '-Infinity') return Number(json);
  throw new CodecError(`a number is expected, not ${shown(json)}`);
}

function shown(json: unknown): string {
  const isShown = typeof json === 'string' || typeof json === 'number' || typeof json === 'bigint';
  return isShown ? printJson(json).slice(0, 60) : jsonKind(json);
}

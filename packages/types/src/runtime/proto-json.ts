/**
 * Standard protobuf JSON, as used by generic gRPC clients: lowerCamelCase names, no values that are not on the wire, enums by
 * full name, decimals scaled by 10^18, and every kind of bytes as base64.
 */
import { anyMember } from './any.js';
import { toBase64 } from './base64.js';
import { CodecError, ofType, within } from './codec-error.js';
import { decFromScaled, decToScaled } from './dec.js';
import { defaultScalar } from './default-form.js';
import { heldIn, memberOf } from './form-member.js';
import type { PartialForm } from './method.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { fromJson } from './read-json.js';
import {
  type Field,
  type FieldOf,
  type Kind,
  mapValue,
  type MessageTable,
  type ScalarKind,
  withTables,
} from './table.js';
import { printDuration, printTimestamp } from './time.js';
import type { Duration, Timestamp } from './values.js';
import { isWellKnown } from './well-known.js';

type Form = Readonly<Record<string, unknown>>;

/**
 * Prints a form as standard protobuf JSON.
 *
 * @throws CodecError with the field, if a value cannot be printed
 * @source proto/spec/node.yaml, json.grpc_answers
 */
export function toProtoJson<T>(
  table: MessageTable<T>,
  form: PartialForm<T> | T,
  naming: Naming = identityNaming,
): string {
  try {
    return JSON.stringify(membersOf(table, form as Form, naming));
  } catch (error) {
    throw ofType(error, table.name);
  }
}

/** Fields for which the node's descriptors set the JSON name to the snake_case name. */
const ownNames: ReadonlySet<string> = new Set(['gas_wanted', 'gas_used']);
const withOwnNames: ReadonlySet<string> = new Set(['bft.abci.ResponseCheckTx', 'bft.abci.ResponseDeliverTx']);

function jsonName(table: MessageTable, { name, prop }: Field): string {
  return withOwnNames.has(table.name) && ownNames.has(name) ? name : prop;
}

function membersOf(table: MessageTable, given: Form, naming: Naming): Record<string, unknown> {
  const form = table.carries?.toWire(given, naming) ?? given;
  const json: Record<string, unknown> = {};
  for (const field of table.fields) {
    const held = heldIn(form, field);
    try {
      const value = writeField(field, held, naming);
      if (value !== undefined) json[naming.memberToWire(jsonName(table, field))] = value;
    } catch (error) {
      throw within(
        error instanceof TypeError ? new CodecError(`cannot be printed: ${error.message}`) : error,
        field.name,
      );
    }
  }
  return json;
}

function writeField(field: Field, held: unknown, naming: Naming): unknown {
  if (field.oneof !== undefined) {
    const chosen = held as { $case: string; value: unknown } | undefined;
    return chosen?.$case === field.prop ? writeValue(field, chosen.value, naming) : undefined;
  }
  if (field.kind === 'map') return writeMap(field, (held ?? {}) as Form, naming);
  if (field.repeated) {
    const list = (held ?? []) as readonly unknown[];
    return list.length === 0 ? undefined : list.map((item) => writeValue(field, item, naming));
  }
  const isThere = field.always || (field.optional ? held !== undefined : !isZero(field.kind, held));
  return isThere ? writeValue(field, held, naming) : undefined;
}

function writeMap(field: FieldOf<'map'>, map: Form, naming: Naming): unknown {
  const item = mapValue(field);
  const entries = Object.entries(map).map(([key, value]) => [key, writeValue(item, value, naming)] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Whether the wire format omits the value. This dialect omits it too. */
function isZero(kind: Kind, value: unknown): boolean {
  if (value === undefined) return true;
  if (value instanceof Uint8Array) return value.length === 0;
  if (kind === 'dec' || kind === 'decBytes') return decToScaled(value as string) === '0';
  return kind === 'int' ? value === '' || value === '0' : Object.is(value, defaultScalar(kind));
}

function writeValue(field: Field, held: unknown, naming: Naming): unknown {
  switch (field.kind) {
    case 'message':
      return membersOf(field.message(), (held ?? {}) as Form, naming);
    case 'timestamp':
      return printTimestamp(held as Timestamp | undefined);
    case 'duration':
      return printDuration((held ?? { seconds: 0n, nanos: 0 }) as Duration);
    case 'any':
      return writeAny(field, held as { typeUrl: string; value?: Form; raw?: unknown }, naming);
    case 'string':
      return field.carries?.().toWire((held ?? '') as string, naming) ?? held ?? '';
    default:
      return writeScalar(field, held ?? defaultScalar(field.kind));
  }
}

function writeAny(
  field: FieldOf<'any'>,
  any: { typeUrl: string; value?: Form; raw?: unknown },
  naming: Naming,
): unknown {
  const type = { '@type': naming.typeToWire(any.typeUrl) };
  const table = anyMember(field, any.typeUrl);
  if (any.value !== undefined && table !== undefined) {
    if (!isWellKnown(table.name)) return { ...type, ...membersOf(table, any.value, naming) };
    const { seconds, nanos } = any.value as unknown as Timestamp;
    if (table.name === 'google.protobuf.Timestamp') return { ...type, value: printTimestamp({ seconds, nanos }) };
    return { ...type, value: table.name === 'google.protobuf.Duration' ? printDuration({ seconds, nanos }) : {} };
  }
  if (any.raw instanceof Uint8Array || typeof any.raw !== 'object' || any.raw === null) {
    throw new CodecError(`${any.typeUrl} is of a type that is not known here, so its bytes cannot be printed as JSON`);
  }
  return { ...type, ...any.raw };
}

function writeScalar(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 'bytes':
    case 'hex':
    case 'rawJson':
      return toBase64(value as Uint8Array);
    case 'dec':
      return decToScaled(value as string);
    case 'decBytes':
      return toBase64(new TextEncoder().encode(decToScaled(value as string)));
    case 'enum':
      return typeof value === 'string' ? value : (fullName(field, value as number) ?? value);
    case 'double':
    case 'float':
      return Number.isFinite(value) ? value : String(value);
    default:
      return typeof value === 'bigint' ? String(value) : value;
  }
}

function fullName(field: FieldOf<'enum'>, number: number): string | undefined {
  return Object.entries(field.enum().values).find(([, known]) => known === number)?.[0];
}

/**
 * Reads parsed standard protobuf JSON into the form of a table. Also accepts snake_case names.
 *
 * @throws CodecError with the path of the invalid member
 */
export function fromProtoJson<T>(table: MessageTable<T>, json: unknown, naming: Naming = identityNaming): T {
  return fromWire(table, fromJson(asSpoken(table), json, naming) as Form) as T;
}

/** Kinds that differ from gateway JSON, with the kind that they have in this dialect. */
const spoken: Partial<Record<ScalarKind, ScalarKind>> = {
  hex: 'bytes',
  rawJson: 'bytes',
  dec: 'int',
  decBytes: 'bytes',
};

const tables = new WeakMap<MessageTable, MessageTable>();

function asSpoken(table: MessageTable): MessageTable {
  let known = tables.get(table);
  if (known === undefined) {
    known = {
      name: table.name,
      fields: table.fields.map(fieldAsSpoken),
      ...(table.carries && { carries: table.carries }),
    };
    tables.set(table, known);
  }
  return known;
}

function fieldAsSpoken(field: Field): Field {
  const known = withTables(field, asSpoken);
  const kind = spoken[known.kind as ScalarKind];
  return kind === undefined ? known : { ...known, kind };
}

/** Converts decimals at any depth from the scaled text to the decimal text of the form. */
function fromWire(table: MessageTable, form: Form): Form {
  const scaled: Record<string, unknown> = {};
  for (const field of table.fields) {
    const member = memberOf(field);
    const held = form[member];
    if (field.kind === 'map') scaled[member] = held;
    else if (field.oneof !== undefined) {
      const chosen = held as { $case: string; value: unknown } | undefined;
      scaled[member] =
        chosen?.$case === field.prop
          ? { ...chosen, value: valueFromWire(field, chosen.value) }
          : Object.hasOwn(scaled, member)
            ? scaled[member]
            : held;
    } else
      scaled[member] = field.repeated
        ? (held as unknown[]).map((item) => valueFromWire(field, item))
        : valueFromWire(field, held);
  }
  return scaled;
}

function valueFromWire(field: Field, held: unknown): unknown {
  switch (field.kind) {
    case 'dec':
      return decFromScaled(held as string);
    case 'decBytes':
      return decFromScaled(new TextDecoder().decode(held as Uint8Array));
    case 'message':
      return held === undefined ? undefined : fromWire(field.message(), held as Form);
    case 'any': {
      const any = held as { typeUrl: string; value?: Form } | undefined;
      const table = any?.value === undefined ? undefined : anyMember(field, any.typeUrl);
      return table === undefined ? held : { typeUrl: any?.typeUrl, value: fromWire(table, any?.value as Form) };
    }
    default:
      return held;
  }
}

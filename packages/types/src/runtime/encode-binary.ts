import { anyMember } from './any.js';
import { wire } from './binary-reader.js';
import { BinaryWriter } from './binary-writer.js';
import { CodecError, ofType, within } from './codec-error.js';
import { wireOf } from './decode-binary.js';
import { decToScaled, readInt } from './dec.js';
import { defaultScalar } from './default-form.js';
import { enumNumber } from './enum.js';
import { heldIn } from './form-member.js';
import type { PartialForm } from './method.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { type Field, type FieldOf, type Kind, mapValue, type MessageTable } from './table.js';
import { zeroTimeSeconds } from './time.js';
import type { Duration, Timestamp } from './values.js';

type Form = Readonly<Record<string, unknown>>;

const inOrder = new WeakMap<MessageTable, readonly Field[]>();

/** Fields ordered by number, as the node writes them. */
function orderOf(table: MessageTable): readonly Field[] {
  let fields = inOrder.get(table);
  if (fields === undefined) {
    fields = [...table.fields].sort((a, b) => a.no - b.no);
    inOrder.set(table, fields);
  }
  return fields;
}

/**
 * Encodes a form like the node: fields by number, zero values omitted except those that the node stores by value.
 * Omitted members count as their defaults.
 *
 * @throws CodecError when a value cannot be written, with its field
 */
export function encodeBinary<T>(
  table: MessageTable<T>,
  form: PartialForm<T> | T,
  naming: Naming = identityNaming,
): Uint8Array {
  const writer = new BinaryWriter();
  try {
    writeMessage(table, form as Form, writer, naming);
  } catch (error) {
    throw ofType(error, table.name);
  }
  return writer.finish();
}

function writeMessage(table: MessageTable, given: Form, writer: BinaryWriter, naming: Naming): void {
  const form = table.carries?.toWire(given, naming) ?? given;
  for (const field of orderOf(table)) {
    const held = heldIn(form, field);
    try {
      writeField(field, held, writer, naming);
    } catch (error) {
      throw within(
        error instanceof TypeError ? new CodecError(`cannot be written: ${error.message}`) : error,
        field.name,
      );
    }
  }
}

function writeField(field: Field, held: unknown, writer: BinaryWriter, naming: Naming): void {
  if (field.oneof !== undefined) {
    const chosen = held as { $case: string; value: unknown } | undefined;
    if (chosen?.$case === field.prop) writeOne(field, chosen.value, writer, naming);
  } else if (field.kind === 'map') {
    writeMap(field, (held ?? {}) as Form, writer, naming);
  } else if (field.repeated) {
    writeList(field, (held ?? []) as readonly unknown[], writer, naming);
  } else if (field.always || (field.optional ? held !== undefined : !isZero(field.kind, held))) {
    writeOne(field, held, writer, naming);
  }
}

function isZero(kind: Kind, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  switch (kind) {
    case 'message':
    case 'timestamp':
    case 'duration':
    case 'any':
      return false;
    case 'bytes':
    case 'hex':
    case 'rawJson':
      return (value as Uint8Array).length === 0;
    case 'int':
      return value === '' || value === '0';
    case 'dec':
    case 'decBytes':
      return value === '' || decToScaled(value as string) === '0';
    case 'float':
    case 'double':
      return Object.is(value, 0);
    default:
      return value === defaultScalar(kind);
  }
}

function writeOne(field: Field, value: unknown, writer: BinaryWriter, naming: Naming): void {
  writer.tag(field.no, wireOf(field.kind));
  writeValue(field, value, writer, naming);
}

function writeList(field: Field, list: readonly unknown[], writer: BinaryWriter, naming: Naming): void {
  if (list.length === 0) return;
  if (wireOf(field.kind) !== wire.bytes) {
    writer.tag(field.no, wire.bytes);
    writer.nested(() => {
      for (const value of list) writeValue(field, value, writer, naming);
    });
    return;
  }
  list.forEach((value, index) => {
    try {
      writeOne(field, value, writer, naming);
    } catch (error) {
      throw within(error, `[${index}]`);
    }
  });
}

function writeMap(field: FieldOf<'map'>, map: Form, writer: BinaryWriter, naming: Naming): void {
  const keyField: Field = { no: 1, name: 'key', prop: 'key', kind: field.key };
  const valueField = mapValue(field);
  for (const key of Object.keys(map).sort()) {
    writer.tag(field.no, wire.bytes);
    writer.nested(() => {
      writeOne(keyField, mapKey(field.key, key), writer, naming);
      writeOne(valueField, map[key], writer, naming);
    });
  }
}

function mapKey(kind: Kind, key: string): unknown {
  if (kind === 'string') return key;
  if (kind === 'bool') return key === 'true';
  return typeof defaultScalar(kind) === 'bigint' ? BigInt(key) : Number(key);
}

function writeValue(field: Field, value: unknown, writer: BinaryWriter, naming: Naming): void {
  switch (field.kind) {
    case 'message':
      writer.nested(() => writeMessage(field.message(), (value ?? {}) as Form, writer, naming));
      return;
    case 'timestamp':
      writeSpan((value as Timestamp | undefined) ?? { seconds: zeroTimeSeconds, nanos: 0 }, writer);
      return;
    case 'duration':
      writeSpan((value as Duration | undefined) ?? { seconds: 0n, nanos: 0 }, writer);
      return;
    case 'any':
      writer.nested(() => writeAny(field, value, writer, naming));
      return;
    case 'string':
      writeScalar(field, wireText(field, value, naming), writer);
      return;
    default:
      writeScalar(field, value ?? defaultScalar(field.kind), writer);
  }
}

/** Text with wire names; a value that is not text is refused by its writer. */
function wireText({ carries }: Field, value: unknown, naming: Naming): unknown {
  return carries !== undefined && typeof value === 'string' ? carries().toWire(value, naming) : (value ?? '');
}

function writeSpan({ seconds, nanos }: Timestamp | Duration, writer: BinaryWriter): void {
  writer.nested(() => {
    if (seconds !== 0n) {
      writer.tag(1, wire.varint);
      writer.varint64(seconds);
    }
    if (nanos !== 0) {
      writer.tag(2, wire.varint);
      writer.int32(nanos);
    }
  });
}

function writeAny(field: FieldOf<'any'>, value: unknown, writer: BinaryWriter, naming: Naming): void {
  const any = value as { typeUrl: string; value?: Form; raw?: unknown } | undefined;
  if (any === undefined) return;
  if (any.typeUrl !== '') {
    writer.tag(1, wire.bytes);
    writer.text(naming.typeToWire(any.typeUrl));
  }
  if (any.value === undefined) {
    if (!(any.raw instanceof Uint8Array)) {
      throw new CodecError(
        `${any.typeUrl} is of a type that is not known here, so its JSON cannot be written as bytes`,
      );
    }
    if (any.raw.length > 0) {
      writer.tag(2, wire.bytes);
      writer.block(any.raw);
    }
    return;
  }
  const table = anyMember(field, any.typeUrl);
  if (table === undefined) throw new CodecError(`${any.typeUrl} is none of the types that this field carries`);
  const start = writer.length;
  writer.tag(2, wire.bytes);
  writer.nested(() => writeMessage(table, any.value ?? {}, writer, naming));
  // For an empty message the member is omitted: the tag and the length of 0 are removed.
  if (writer.length === start + 2) writer.rewind(start);
}

function writeScalar(field: Field, value: unknown, writer: BinaryWriter): void {
  switch (field.kind) {
    case 'bool':
      return writer.varint32(value === true ? 1 : 0);
    case 'enum':
      return writer.int32(enumNumber(field.enum(), value as number | string));
    case 'int32':
      return writer.int32(range(value, -(2 ** 31), 2 ** 31 - 1));
    case 'uint32':
      return writer.varint32(range(value, 0, 2 ** 32 - 1));
    case 'sint32': {
      const number = range(value, -(2 ** 31), 2 ** 31 - 1);
      return writer.varint32(((number << 1) ^ (number >> 31)) >>> 0);
    }
    case 'fixed32':
      return writer.fixed32(range(value, 0, 2 ** 32 - 1));
    case 'sfixed32':
      return writer.fixed32(range(value, -(2 ** 31), 2 ** 31 - 1) >>> 0);
    case 'int64':
      return writer.varint64(signed(value));
    case 'uint64':
      return writer.varint64(unsigned(value));
    case 'sint64': {
      const number = signed(value);
      return writer.varint64((number << 1n) ^ (number >> 63n));
    }
    case 'fixed64':
      return writer.fixed64(unsigned(value));
    case 'sfixed64':
      return writer.fixed64(signed(value));
    case 'float':
      return writer.float(value as number);
    case 'double':
      return writer.double(value as number);
    case 'string':
    case 'decText':
      if (typeof value !== 'string') throw new CodecError(`a text is expected, not ${typeof value}`);
      return writer.text(value);
    case 'bytes':
    case 'hex':
    case 'rawJson':
      if (!(value instanceof Uint8Array)) throw new CodecError(`bytes are expected, not ${typeof value}`);
      return writer.block(value);
    case 'int':
      return writer.text(readInt(value as string));
    case 'dec':
    case 'decBytes':
      return writer.text(decToScaled(value as string));
    default:
      throw new CodecError(`${field.kind} is not a scalar`);
  }
}

function range(value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new CodecError(`an integer from ${least} to ${most} is expected, not ${String(value)}`);
  }
  return value;
}

function signed(value: unknown): bigint {
  const number = integer(value);
  if (BigInt.asIntN(64, number) !== number) throw new CodecError(`${number} does not fit into 64 bits with a sign`);
  return number;
}

function unsigned(value: unknown): bigint {
  const number = integer(value);
  if (BigInt.asUintN(64, number) !== number) throw new CodecError(`${number} does not fit into 64 bits without a sign`);
  return number;
}

function integer(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  throw new CodecError(`a bigint is expected, not ${typeof value} ${String(value)}`);
}

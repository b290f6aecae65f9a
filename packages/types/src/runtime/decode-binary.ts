import { anyMember, anyUrl } from './any.js';
import { BinaryReader, wire } from './binary-reader.js';
import { CodecError, ofType, within } from './codec-error.js';
import { decFromScaled, readInt } from './dec.js';
import { defaultScalar, defaultValue } from './default-form.js';
import { memberOf, setMember } from './form-member.js';
import { maxDepth } from './limits.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { type Field, type FieldOf, type Kind, mapValue, type MessageTable } from './table.js';
import { timestampOf } from './time.js';
import type { AnyUnknown, Duration, Timestamp } from './values.js';

type Form = Record<string, unknown>;

interface Plan {
  readonly byNumber: ReadonlyMap<number, FieldPlan>;
  /**
   * In order of declaration. Members are `undefined` at first and get defaults at the end, so that no unused default is
   * created.
   */
  readonly fields: readonly FieldPlan[];
}

interface FieldPlan {
  readonly field: Field;
  readonly member: string;
}

const plans = new WeakMap<MessageTable, Plan>();

function planOf(table: MessageTable): Plan {
  const known = plans.get(table);
  if (known !== undefined) return known;
  const fields = table.fields.map((field) => ({ field, member: memberOf(field) }));
  const plan: Plan = { fields, byNumber: new Map(fields.map((entry) => [entry.field.no, entry])) };
  plans.set(table, plan);
  return plan;
}

/**
 * Decodes protobuf bytes into the form of a table. Fields that the table does not know are skipped.
 *
 * @param naming names on the wire; type URLs of `Any` are returned neutral
 * @throws CodecError with the field and the byte offset when the bytes are malformed
 */
export function decodeBinary<T>(table: MessageTable<T>, bytes: Uint8Array, naming: Naming = identityNaming): T {
  try {
    return readMessage(table, new BinaryReader(bytes), naming, 0, undefined) as T;
  } catch (error) {
    throw ofType(error, table.name);
  }
}

function readMessage(table: MessageTable, reader: BinaryReader, naming: Naming, depth: number, merge?: Form): Form {
  if (depth > maxDepth) {
    throw new CodecError(`messages are nested deeper than ${maxDepth}`, '', reader.pos);
  }
  const plan = planOf(table);
  const form: Form = merge ?? {};
  if (merge === undefined) for (const { member } of plan.fields) form[member] = undefined;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    const entry = plan.byNumber.get(tag >>> 3);
    if (entry === undefined) reader.skip(tag & 7, tag >>> 3);
    else readField(entry, form, tag & 7, reader, naming, depth);
  }
  for (const { field, member } of plan.fields) {
    if (form[member] === undefined) form[member] = defaultValue(field);
  }
  return table.carries?.fromWire(form, naming) ?? form;
}

function readField(
  { field, member }: FieldPlan,
  form: Form,
  wireType: number,
  reader: BinaryReader,
  naming: Naming,
  depth: number,
): void {
  const start = reader.pos;
  try {
    if (field.kind === 'map') {
      expectWire(field.kind, wireType, wire.bytes, start);
      form[member] ??= {};
      readMapEntry(field, form[member] as Form, reader, naming, depth);
    } else if (field.repeated) {
      form[member] ??= [];
      const list = form[member] as unknown[];
      if (wireType === wire.bytes && wireOf(field.kind) !== wire.bytes) {
        inBlock(reader, () => {
          while (reader.pos < reader.end) list.push(readScalar(field.kind, reader));
        });
      } else {
        expectWire(field.kind, wireType, wireOf(field.kind), start);
        list.push(readValue(field, reader, naming, depth, undefined));
      }
    } else {
      expectWire(field.kind, wireType, wireOf(field.kind), start);
      if (field.oneof === undefined) {
        form[member] = readValue(field, reader, naming, depth, form[member]);
      } else {
        form[member] = { $case: field.prop, value: readValue(field, reader, naming, depth, undefined) };
      }
    }
  } catch (error) {
    const index = field.repeated && wireOf(field.kind) === wire.bytes ? `[${(form[member] as unknown[]).length}]` : '';
    throw within(
      error instanceof CodecError && error.offset === undefined ? withOffset(error, start) : error,
      field.name + index,
    );
  }
}

function withOffset(error: CodecError, offset: number): CodecError {
  return new CodecError(error.problem, error.path, offset);
}

function expectWire(kind: Kind, got: number, wanted: number, offset: number): void {
  if (got !== wanted) throw new CodecError(`wire type ${got} where ${kind} has ${wanted}`, '', offset);
}

/** Wire type of one value of a kind. */
export function wireOf(kind: Kind): number {
  switch (kind) {
    case 'bool':
    case 'int32':
    case 'uint32':
    case 'sint32':
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'enum':
      return wire.varint;
    case 'fixed64':
    case 'sfixed64':
    case 'double':
      return wire.bits64;
    case 'fixed32':
    case 'sfixed32':
    case 'float':
      return wire.bits32;
    default:
      return wire.bytes;
  }
}

/** Limits the reader to a block while `read` runs. */
function inBlock<T>(reader: BinaryReader, read: () => T): T {
  const outer = reader.end;
  reader.end = reader.blockEnd();
  const value = read();
  reader.end = outer;
  return value;
}

function readValue(field: Field, reader: BinaryReader, naming: Naming, depth: number, merge: unknown): unknown {
  switch (field.kind) {
    case 'message':
      return inBlock(reader, () => readMessage(field.message(), reader, naming, depth + 1, merge as Form | undefined));
    case 'timestamp': {
      const { seconds, nanos } = readSpan(reader);
      return timestampOf(seconds, nanos);
    }
    case 'duration':
      return readSpan(reader);
    case 'any':
      return readAny(field, reader, naming, depth);
    case 'string':
      return field.carries === undefined ? reader.text() : field.carries().fromWire(reader.text(), naming);
    default:
      return readScalar(field.kind, reader);
  }
}

/** The two parts that time and duration share on the wire. */
function readSpan(reader: BinaryReader): Duration & Timestamp {
  return inBlock(reader, () => {
    let seconds = 0n;
    let nanos = 0;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === 8) seconds = BigInt.asIntN(64, reader.varint64());
      else if (tag === 16) nanos = reader.varint32();
      else reader.skip(tag & 7, tag >>> 3);
    }
    return { seconds, nanos };
  });
}

function readAny(field: FieldOf<'any'>, reader: BinaryReader, naming: Naming, depth: number): unknown {
  return inBlock(reader, () => {
    let typeUrl = '';
    let start = reader.pos;
    let end = reader.pos;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag === 10) typeUrl = anyUrl(field, reader.text(), naming);
      else if (tag === 18) {
        end = reader.blockEnd();
        start = reader.pos;
        reader.pos = end;
      } else reader.skip(tag & 7, tag >>> 3);
    }
    const table = anyMember(field, typeUrl);
    if (table === undefined) {
      return { typeUrl, raw: Uint8Array.from(reader.bytes.subarray(start, end)) } satisfies AnyUnknown<string>;
    }
    const [pos, outer] = [reader.pos, reader.end];
    reader.pos = start;
    reader.end = end;
    const value = readMessage(table, reader, naming, depth + 1, undefined);
    reader.pos = pos;
    reader.end = outer;
    return { typeUrl, value };
  });
}

function readMapEntry(field: FieldOf<'map'>, map: Form, reader: BinaryReader, naming: Naming, depth: number): void {
  const keyKind = field.key;
  const valueField = mapValue(field);
  inBlock(reader, () => {
    let key = defaultScalar(keyKind);
    let value: unknown;
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      if (tag >>> 3 === 1 && (tag & 7) === wireOf(keyKind)) key = readScalar(keyKind, reader);
      else if (tag >>> 3 === 2 && (tag & 7) === wireOf(valueField.kind)) {
        value = readValue(valueField, reader, naming, depth, undefined);
      } else reader.skip(tag & 7, tag >>> 3);
    }
    setMember(map, String(key), value ?? defaultValue(valueField));
  });
}

function readScalar(kind: Kind, reader: BinaryReader): unknown {
  switch (kind) {
    case 'bool':
      return reader.varint64() !== 0n;
    case 'int32':
    case 'enum':
      return reader.varint32();
    case 'uint32':
      return reader.varint32() >>> 0;
    case 'sint32': {
      const value = reader.varint32() >>> 0;
      return (value >>> 1) ^ -(value & 1);
    }
    case 'fixed32':
      return reader.fixed32();
    case 'sfixed32':
      return reader.fixed32() | 0;
    case 'int64':
      return BigInt.asIntN(64, reader.varint64());
    case 'uint64':
      return reader.varint64();
    case 'sint64': {
      const value = reader.varint64();
      return (value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n);
    }
    case 'fixed64':
      return reader.fixed64();
    case 'sfixed64':
      return BigInt.asIntN(64, reader.fixed64());
    case 'float':
      return reader.float();
    case 'double':
      return reader.double();
    case 'string':
    case 'decText':
      return reader.text();
    case 'bytes':
    case 'hex':
    case 'rawJson':
      return reader.block();
    case 'int':
      return readInt(reader.text());
    case 'dec':
    case 'decBytes':
      return decFromScaled(reader.text());
    default:
      throw new CodecError(`${kind} is not a scalar`);
  }
}

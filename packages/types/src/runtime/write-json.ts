import { anyMember } from './any.js';
import { toBase64, toHex } from './base64.js';
import { CodecError, ofType, within } from './codec-error.js';
import { readDec } from './dec.js';
import { defaultForm, defaultScalar } from './default-form.js';
import { enumText } from './enum.js';
import { heldIn } from './form-member.js';
import { quoteJson, compactJson } from './json-text.js';
import { printJson } from './parse-json.js';
import type { PartialForm } from './method.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { type Field, type FieldOf, mapValue, type MessageTable } from './table.js';
import { printDuration, printTimestamp } from './time.js';
import type { Duration, Timestamp } from './values.js';
import { isWellKnown } from './well-known.js';
import { isPlainEncoded, writePlain } from './write-plain-json.js';

type Form = Readonly<Record<string, unknown>>;

/**
 * The text that the REST gateway prints for a form: all members, in order of declaration and under their original
 * names, with 64-bit numbers quoted and `<`, `>` and `&` escaped.
 *
 * @throws CodecError when a value cannot be printed, with its field
 * @source proto/spec/node.yaml, json
 */
export function toGatewayJson<T>(
  table: MessageTable<T>,
  form: PartialForm<T> | T,
  naming: Naming = identityNaming,
): string {
  try {
    return writeMessage(table, form as Form, naming);
  } catch (error) {
    throw ofType(error, table.name);
  }
}

function writeMessage(table: MessageTable, form: Form, naming: Naming): string {
  if (isPlainEncoded(table)) return writePlain(table, form);
  return `{${writeMembers(table, form, naming).join(',')}}`;
}

function writeMembers(table: MessageTable, given: Form, naming: Naming): string[] {
  const form = table.carries?.toWire(given, naming) ?? given;
  const members: string[] = [];
  for (const field of table.fields) {
    const held = heldIn(form, field);
    const name = `${quoteJson(naming.memberToWire(field.name))}:`;
    try {
      if (field.optional && held === undefined) continue;
      if (field.oneof === undefined) members.push(name + writeField(field, held, naming));
      else if ((held as { $case: string } | undefined)?.$case === field.prop) {
        members.push(name + writeValue(field, (held as { value: unknown }).value, naming));
      }
    } catch (error) {
      throw within(
        error instanceof TypeError ? new CodecError(`cannot be printed: ${error.message}`) : error,
        field.name,
      );
    }
  }
  return members;
}

function writeField(field: Field, held: unknown, naming: Naming): string {
  if (field.kind === 'map') {
    const map = (held ?? {}) as Form;
    const valueField = mapValue(field);
    const entries = Object.keys(map)
      .sort()
      .map((key) => `${quoteJson(key)}:${writeValue(valueField, map[key], naming)}`);
    return `{${entries.join(',')}}`;
  }
  if (!field.repeated) return writeValue(field, held, naming);
  const items = ((held ?? []) as readonly unknown[]).map((item, index) => {
    try {
      return writeValue({ ...field, always: true }, item, naming);
    } catch (error) {
      throw within(error, `[${index}]`);
    }
  });
  return `[${items.join(',')}]`;
}

function writeValue(field: Field, held: unknown, naming: Naming): string {
  switch (field.kind) {
    case 'message': {
      const table = field.message();
      if (held === undefined && !field.always) return 'null';
      return writeMessage(table, (held ?? defaultForm(table)) as Form, naming);
    }
    case 'timestamp':
      return held === undefined && !field.always ? 'null' : `"${printTimestamp(held as Timestamp | undefined)}"`;
    case 'duration':
      if (held === undefined) return field.always ? '"0s"' : 'null';
      return `"${printDuration(held as Duration)}"`;
    case 'any':
      return held === undefined
        ? 'null'
        : writeAny(field, held as { typeUrl: string; value?: Form; raw?: unknown }, naming);
    case 'string':
      return quoteJson(field.carries?.().toWire((held ?? '') as string, naming) ?? ((held ?? '') as string));
    default:
      return writeScalar(field, held ?? defaultScalar(field.kind));
  }
}

function writeAny(
  field: FieldOf<'any'>,
  any: { typeUrl: string; value?: Form; raw?: unknown },
  naming: Naming,
): string {
  const type = `"@type":${quoteJson(naming.typeToWire(any.typeUrl))}`;
  const table = anyMember(field, any.typeUrl);
  if (any.value !== undefined && table !== undefined) {
    if (isWellKnown(table.name)) return `{${type},"value":${writeWellKnown(table, any.value)}}`;
    return `{${[type, ...writeMembers(table, any.value, naming)].join(',')}}`;
  }
  if (any.raw instanceof Uint8Array || typeof any.raw !== 'object' || any.raw === null) {
    throw new CodecError(`${any.typeUrl} is of a type that is not known here, so its bytes cannot be printed as JSON`);
  }
  const members = Object.entries(any.raw).map(([name, value]) => `${quoteJson(name)}:${compactJson(printJson(value))}`);
  return `{${[type, ...members].join(',')}}`;
}

function writeWellKnown(table: MessageTable, form: Form): string {
  const { seconds, nanos } = form as unknown as Timestamp;
  if (table.name === 'google.protobuf.Timestamp') return `"${printTimestamp({ seconds, nanos })}"`;
  return table.name === 'google.protobuf.Duration' ? `"${printDuration({ seconds, nanos })}"` : '{}';
}

function writeScalar(field: Field, value: unknown): string {
  switch (field.kind) {
    case 'bool':
      return value === true ? 'true' : 'false';
    case 'decText':
      return quoteJson(value as string);
    case 'int':
      return `"${(value as string) || '0'}"`;
    case 'dec':
    case 'decBytes':
      return `"${readDec(value as string)}"`;
    case 'bytes':
      return (value as Uint8Array).length === 0 ? 'null' : `"${toBase64(value as Uint8Array)}"`;
    case 'hex':
      return `"${toHex(value as Uint8Array)}"`;
    case 'rawJson':
      return (value as Uint8Array).length === 0 ? 'null' : compactJson(new TextDecoder().decode(value as Uint8Array));
    case 'enum': {
      if (typeof value === 'string') return quoteJson(value);
      const text = enumText(field.enum(), value as number);
      return text === undefined ? String(value) : quoteJson(text);
    }
    case 'float':
    case 'double':
      return Number.isFinite(value) ? String(value) : `"${String(value)}"`;
    default:
      return typeof value === 'bigint' ? `"${value}"` : String(value);
  }
}

import { decodeBinary, wireOf } from './decode-binary.js';
import { zeroDec, zeroInt } from './dec.js';
import { defaultForm } from './default-form.js';
import { type FastDecoder, FastReader, unusual } from './fast-reader.js';
import { memberOf } from './form-member.js';
import { maxDepth } from './limits.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { isLittleEndian } from './scratch-words.js';
import type { Field, Kind, MessageTable } from './table.js';

/** `undefined` if the process forbids generating code from text; the table walk then reads everything. */
const decoders = new WeakMap<MessageTable, FastDecoder | undefined>();

/**
 * {@link decodeBinary} for Node: the same form and the same errors, by code that is compiled from the table on first
 * use. Unusual input and every fault is read again by the table walk.
 *
 * @param naming names on the wire; type URLs of `Any` are returned neutral
 * @throws CodecError with the field and the byte offset when the bytes are malformed
 */
export function decodeBinaryFast<T>(table: MessageTable<T>, bytes: Uint8Array, naming: Naming = identityNaming): T {
  try {
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return decoderOf(table)(new FastReader(buffer, naming, decoderOf), bytes.length, 0) as T;
  } catch {
    return decodeBinary(table, bytes, naming);
  }
}

function decoderOf(table: MessageTable): FastDecoder {
  if (!decoders.has(table)) decoders.set(table, compile(table));
  const decoder = decoders.get(table);
  if (decoder === undefined) throw unusual;
  return decoder;
}

function compile(table: MessageTable): FastDecoder | undefined {
  if (!isLittleEndian) return undefined;
  try {
    // Its parts are numbers, literals of this file and names through JSON.stringify; nothing else gets into the text.
    // oxlint-disable-next-line typescript/no-implied-eval
    const make = new Function('fields', 'defaultForm', 'unusual', 'carries', source(table)) as (
      ...parts: unknown[]
    ) => FastDecoder;
    return make(table.fields, defaultForm, unusual, table.carries);
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}

/** Function body that returns the decoder of a table. */
function source(table: MessageTable): string {
  const members = new Map<string, string>();
  const locals: string[] = [];
  const results: string[] = [];
  for (const field of table.fields) {
    const member = memberOf(field);
    if (members.has(member)) continue;
    const local = `v${members.size}`;
    members.set(member, local);
    locals.push(`let ${local} = ${initial(field)};`);
    results.push(`${JSON.stringify(member)}: ${result(field, local, table.fields.indexOf(field))}`);
  }
  const known = table.fields.map(({ no }) => `no === ${no}`).join(' || ') || 'false';
  const subs = table.fields.flatMap(({ kind }, i) => (kind === 'message' ? [`let d${i};`] : []));
  return `'use strict';
${subs.join('\n')}
return (r, end, depth) => {
  if (depth > ${maxDepth}) throw unusual;
  const { bytes } = r;
  ${locals.join('\n  ')}
  while (r.pos < end) {
    let tag = bytes[r.pos];
    if (tag < 128) r.pos++;
    else tag = r.number();
    switch (tag) {
${table.fields.map((field, i) => cases(field, i, members.get(memberOf(field)) ?? '')).join('\n')}
      default: {
        const no = Math.floor(tag / 8);
        if (no === 0 || no > 536870911 || ${known}) throw unusual;
        r.skip(tag % 8, end);
      }
    }
  }
  if (r.pos !== end) throw unusual;
  ${returned(table, `{ ${results.join(', ')} }`)}
};`;
}

/** Statement that returns the form, with its names translated if the message contains some. */
function returned({ carries }: MessageTable, form: string): string {
  return carries === undefined ? `return ${form};` : `return carries.fromWire(${form}, r.naming);`;
}

function cases(field: Field, index: number, local: string): string {
  const { no, kind, repeated, oneof } = field;
  const wireType = wireOf(kind);
  const tag = no * 8 + wireType;
  if (kind === 'map') return `      case ${tag}: throw unusual;`;
  const value = read(field, index);
  if (repeated) {
    const one = `      case ${tag}: ${local}.push(${value}); break;`;
    if (wireType === 2) return one;
    return `${one}
      case ${no * 8 + 2}: {
        const stop = r.block(end);
        while (r.pos < stop) ${local}.push(${value});
        if (r.pos !== stop) throw unusual;
        break;
      }`;
  }
  if (oneof !== undefined) {
    return `      case ${tag}: ${local} = { $case: ${JSON.stringify(field.prop)}, value: ${value} }; break;`;
  }
  // A repeated message field is merged, which the table walk does.
  const once = kind === 'message' ? `if (${local} !== undefined) throw unusual; ` : '';
  return `      case ${tag}: ${once}${local} = ${value}; break;`;
}

/** Expression that reads one value. */
function read({ kind, carries }: Field, index: number): string {
  if (kind === 'message') {
    return `(d${index} ??= r.decoderOf(fields[${index}].message()))(r, r.block(end), depth + 1)`;
  }
  if (kind === 'any') return `r.any(fields[${index}], end, depth)`;
  if (carries !== undefined) return `fields[${index}].carries().fromWire(r.text(end), r.naming)`;
  return reads[kind] ?? 'r.unknownKind()';
}

const reads: Readonly<Partial<Record<Kind, string>>> = {
  bool: 'r.uint64() !== 0n',
  int32: 'r.int32()',
  enum: 'r.int32()',
  uint32: 'r.int32() >>> 0',
  int64: 'r.int64()',
  uint64: 'r.uint64()',
  string: 'r.text(end)',
  decText: 'r.text(end)',
  bytes: 'r.copy(end)',
  hex: 'r.copy(end)',
  rawJson: 'r.copy(end)',
  int: 'r.int(end)',
  dec: 'r.dec(end)',
  decBytes: 'r.dec(end)',
  timestamp: 'r.timestamp(end)',
  duration: 'r.duration(end)',
};

function initial(field: Field): string {
  if (field.oneof !== undefined || field.optional) return 'undefined';
  if (field.kind === 'map') return '{}';
  if (field.repeated) return '[]';
  switch (field.kind) {
    case 'bool':
      return 'false';
    case 'string':
    case 'decText':
      return "''";
    case 'int':
      return `'${zeroInt}'`;
    case 'dec':
    case 'decBytes':
      return `'${zeroDec}'`;
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
    case 'sfixed64':
      return '0n';
    case 'int32':
    case 'uint32':
    case 'sint32':
    case 'fixed32':
    case 'sfixed32':
    case 'float':
    case 'double':
    case 'enum':
      return '0';
    default:
      return 'undefined';
  }
}

/** Value for the form: the local variable, or the default of a kind that is costly to create if unused. */
function result(field: Field, local: string, index: number): string {
  if (field.oneof !== undefined || field.repeated || field.optional) return local;
  switch (field.kind) {
    case 'bytes':
    case 'hex':
    case 'rawJson':
      return `${local} ?? new Uint8Array(0)`;
    case 'message':
      return field.always ? `${local} ?? defaultForm(fields[${index}].message())` : local;
    case 'duration':
      return field.always ? `${local} ?? { seconds: 0n, nanos: 0 }` : local;
    default:
      return local;
  }
}

/** Variants of JSON values and protobuf bytes with one member dropped, null or empty. */
import { anyMember, anyUrl } from '@hubwatch/types/runtime/any';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Field, MessageTable } from '@hubwatch/types/runtime/table';

/** Location of a member: names and indices. */
export type Path = readonly (string | number)[];

export interface Absence<T> {
  readonly how: 'dropped' | 'null' | 'empty';
  readonly path: Path;
  readonly value: T;
}

/** Whether to descend into a list element; not every element of a long list of similar records must be visited. */
export type IsVisited = (index: number, count: number) => boolean;

/** Yields variants of a JSON value: every member of every object is made absent in each of the three ways, one at a time. */
export function* withoutMembers(json: unknown, isVisited: IsVisited, path: Path = []): Generator<Absence<unknown>> {
  if (Array.isArray(json)) {
    for (const [index, item] of (json as unknown[]).entries()) {
      if (!isVisited(index, json.length)) continue;
      for (const inner of withoutMembers(item, isVisited, [...path, index])) {
        yield { ...inner, value: (json as unknown[]).with(index, inner.value) };
      }
    }
    return;
  }
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    const at = [...path, name];
    const rest = Object.fromEntries(Object.entries(json).filter(([other]) => other !== name));
    yield { how: 'dropped', path: at, value: rest };
    yield { how: 'null', path: at, value: { ...json, [name]: null } };
    yield { how: 'empty', path: at, value: { ...json, [name]: emptyOf(value) } };
    for (const inner of withoutMembers(value, isVisited, at)) {
      yield { ...inner, value: { ...json, [name]: inner.value } };
    }
  }
}

function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  switch (typeof value) {
    case 'string':
      return '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return value === null ? null : {};
  }
}

interface WireField {
  readonly tag: number;
  readonly field: Field | undefined;
  /** Encoded tag and value. */
  readonly whole: Uint8Array;
  /** Encoded value without its length; `undefined` for a number. */
  readonly block: Uint8Array | undefined;
}

/** Kinds whose values are each length-delimited, also in a list. */
const ofBlocks: ReadonlySet<Field['kind']> = new Set(['string', 'bytes', 'message', 'any', 'map']);

/** Yields variants of a protobuf message with one field dropped or empty, at any depth. A list is dropped as a whole. */
export function* withoutFields(
  table: MessageTable,
  bytes: Uint8Array,
  naming: Naming,
  isVisited: IsVisited,
  path: Path = [],
): Generator<Absence<Uint8Array>> {
  const fields = splitFields(table, bytes);
  const seen = new Map<number, number>();
  const put = (index: number, text: Uint8Array): Uint8Array =>
    Buffer.concat(fields.map((one, at) => (at === index ? text : one.whole)));
  for (const [index, { tag, field, block }] of fields.entries()) {
    if (field === undefined) continue;
    const order = seen.get(tag) ?? 0;
    seen.set(tag, order + 1);
    const count = fields.filter((one) => one.tag === tag).length;
    // The numbers of a packed list are in one length-delimited block.
    const isPacked = field.repeated === true && block !== undefined && !ofBlocks.has(field.kind);
    const at = field.repeated && !isPacked ? [...path, field.prop, order] : [...path, field.prop];
    if (order === 0) {
      const others = fields.filter((one) => one.tag !== tag).map(({ whole }) => whole);
      yield { how: 'dropped', path: [...path, field.prop], value: Buffer.concat(others) };
    }
    if (field.repeated && !isVisited(order, count)) continue;
    yield { how: 'empty', path: at, value: put(index, Buffer.concat([varint(tag), Uint8Array.of(0)])) };
    if (block === undefined) continue;
    for (const inner of insideOf(field, block, naming, isVisited, at)) {
      yield { ...inner, value: put(index, Buffer.concat([varint(tag), varint(inner.value.length), inner.value])) };
    }
  }
}

function* insideOf(
  field: Field,
  block: Uint8Array,
  naming: Naming,
  isVisited: IsVisited,
  path: Path,
): Generator<Absence<Uint8Array>> {
  if (field.kind === 'message') yield* withoutFields(field.message(), block, naming, isVisited, path);
  if (field.kind !== 'any') return;
  const parts = splitFields(anyTable, block);
  const url = parts.find(({ tag }) => tag === 10)?.block ?? new Uint8Array();
  const value = parts.find(({ tag }) => tag === 18)?.block ?? new Uint8Array();
  const held = anyMember(field, anyUrl(field, new TextDecoder().decode(url), naming));
  const any = (type: Uint8Array, inner: Uint8Array): Uint8Array =>
    Buffer.concat([Uint8Array.of(10), varint(type.length), type, Uint8Array.of(18), varint(inner.length), inner]);
  yield { how: 'dropped', path: [...path, 'typeUrl'], value: any(new Uint8Array(), value) };
  yield { how: 'dropped', path: [...path, 'value'], value: any(url, new Uint8Array()) };
  if (held === undefined) return;
  for (const inner of withoutFields(held, value, naming, isVisited, [...path, 'value'])) {
    yield { ...inner, value: any(url, inner.value) };
  }
}

const anyTable: MessageTable = { name: 'google.protobuf.Any', fields: [] };

function splitFields(table: MessageTable, bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const [tag, afterTag] = readVarint(bytes, at);
    at = afterTag;
    let block: Uint8Array | undefined;
    if ((tag & 7) === 2) {
      const [length, from] = readVarint(bytes, at);
      at = from + length;
      block = bytes.subarray(from, at);
    } else if ((tag & 7) === 0) {
      while ((bytes[at++] ?? 0) > 127);
    } else at += (tag & 7) === 1 ? 8 : 4;
    const field = table.fields.find(({ no }) => no === tag >>> 3);
    fields.push({ tag, field, whole: bytes.subarray(start, at), block });
  }
  return fields;
}

function readVarint(bytes: Uint8Array, from: number): [value: number, at: number] {
  let value = 0;
  let at = from;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Uint8Array.of(...bytes, left);
}

// Replaces neutral names with wire names in the bytes of a descriptor. It edits bytes because options are extensions
// that no table decodes.
import { varint } from '../../chain/hashes.js';

/** Kind of a field: a text to rename, a nested message, or (absent) a value to leave unchanged. */
type TextRule = 'file' | 'type' | 'typeRef' | 'member' | 'route';
type Rule = TextRule | Shape;
interface Shape {
  readonly [fieldNo: number]: Rule | (() => Shape);
}

/** Maps the texts of a descriptor from neutral to wire names. */
export interface DescriptorNames {
  file(name: string): string;
  type(name: string): string;
  member(name: string): string;
  route(path: string): string;
}

const httpRule: Shape = { 2: 'route', 3: 'route', 4: 'route', 5: 'route', 6: 'route', 11: () => httpRule };
const implementsInterface = 93001;
const acceptsInterface = 93001;
const scalar = 93002;
const httpOption = 72295728;
const field: Shape = {
  1: 'member',
  2: 'typeRef',
  6: 'typeRef',
  10: 'member',
  8: { [acceptsInterface]: 'type', [scalar]: 'type' },
};
const enumeration: Shape = { 1: 'type' };
const message: Shape = {
  1: 'type',
  2: field,
  3: () => message,
  4: enumeration,
  6: field,
  7: { [implementsInterface]: 'type' },
};
const service: Shape = { 2: { 2: 'typeRef', 3: 'typeRef', 4: { [httpOption]: httpRule } } };
const file: Shape = { 1: 'file', 2: 'type', 3: 'file', 4: message, 5: enumeration, 6: service, 7: field };

export interface WireField {
  readonly no: number;
  readonly wire: number;
  /** Offset of the tag. */
  readonly start: number;
  /** Bytes of a length-delimited field. */
  readonly data: Buffer | undefined;
  /** Offset of the first byte after the field. */
  readonly end: number;
}

function readVarint(bytes: Buffer, at: number): [value: bigint, next: number] {
  let value = 0n;
  let shift = 0n;
  let next = at;
  for (;;) {
    const byte = bytes[next] as number;
    next++;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [value, next];
    shift += 7n;
  }
}

/** Iterates over the fields of a message in order, without decoding them. */
export function* wireFields(bytes: Buffer): Generator<WireField> {
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const [tag, afterTag] = readVarint(bytes, at);
    const wire = Number(tag & 7n);
    const no = Number(tag >> 3n);
    let data: Buffer | undefined;
    if (wire === 2) {
      const [length, from] = readVarint(bytes, afterTag);
      at = from + Number(length);
      data = bytes.subarray(from, at);
    } else if (wire === 0) [, at] = readVarint(bytes, afterTag);
    else at = afterTag + (wire === 1 ? 8 : 4);
    yield { no, wire, start, data, end: at };
  }
}

function renameText(text: string, rule: TextRule, names: DescriptorNames): string {
  if (rule === 'file') return names.file(text);
  if (rule === 'member') return names.member(text);
  if (rule === 'route') return names.route(text);
  return names.type(text);
}

function rename(bytes: Buffer, shape: Shape, names: DescriptorNames): Buffer {
  const parts: Buffer[] = [];
  for (const { no, start, data, end } of wireFields(bytes)) {
    const found = shape[no];
    const rule = typeof found === 'function' ? found() : found;
    if (rule === undefined || data === undefined) {
      parts.push(bytes.subarray(start, end));
      continue;
    }
    const next =
      typeof rule === 'object' ? rename(data, rule, names) : Buffer.from(renameText(data.toString(), rule, names));
    parts.push(varint(BigInt((no << 3) | 2)), varint(BigInt(next.length)), next);
  }
  return Buffer.concat(parts);
}

/** Converts a FileDescriptorProto to wire names: file, package, types, references, HTTP rules, interface and scalar names. */
export function renameDescriptor(bytes: Buffer, names: DescriptorNames): Buffer {
  return rename(bytes, file, names);
}

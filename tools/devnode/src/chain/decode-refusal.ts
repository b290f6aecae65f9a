import type { Kind, MessageTable } from '@hubwatch/types/runtime/table';
import { wireOf } from '@hubwatch/types/runtime/decode-binary';

function goName(name: string): string {
  return name
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

function varintAt(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, next: at + i + 1 };
  }
  return undefined;
}

const scalarKinds: ReadonlySet<Kind> = new Set([
  'bool',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'enum',
  'string',
  'bytes',
  'message',
]);

/** Reproduces the node's decode error for bytes that do not match a table. Like the node, it checks fields in order. */
export function decodeRefusal(table: MessageTable, bytes: Uint8Array): string {
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    if (tag === undefined) return 'unexpected EOF';
    const no = Math.floor(tag.value / 8);
    const wire = tag.value % 8;
    const field = table.fields.find((each) => each.no === no);
    const packed = field?.repeated === true && wire === 2;
    if (field !== undefined && scalarKinds.has(field.kind) && !packed && wireOf(field.kind) !== wire) {
      return `proto: wrong wireType = ${wire} for field ${goName(field.name)}`;
    }
    if (wire === 0) {
      const value = varintAt(bytes, tag.next);
      if (value === undefined) return 'unexpected EOF';
      at = value.next;
    } else if (wire === 2) {
      const length = varintAt(bytes, tag.next);
      if (length === undefined || length.next + length.value > bytes.length) return 'unexpected EOF';
      at = length.next + length.value;
    } else if (wire === 1 || wire === 5) at = tag.next + (wire === 1 ? 8 : 4);
    else return `proto: illegal wireType ${wire}`;
  }
  return 'unexpected EOF';
}

import { CodecError } from './codec-error.js';
import { defaultForm } from './default-form.js';
import { heldIn } from './form-member.js';
import { quoteJson } from './json-text.js';
import type { Field, MessageTable } from './table.js';
import { printTimestamp } from './time.js';
import type { Timestamp } from './values.js';

type Form = Readonly<Record<string, unknown>>;

/**
 * The node prints two staking responses differently: 64-bit numbers are bare, zero numbers and empty texts are omitted,
 * empty lists are `null`, and times have as many digits as needed.
 *
 * @source proto/spec/node.yaml, json.integers_64
 */
const plainEncoded: ReadonlySet<string> = new Set([
  'stack.staking.v1beta1.DelegationResponse',
  'stack.staking.v1beta1.RedelegationResponse',
]);

export function isPlainEncoded(table: MessageTable): boolean {
  return plainEncoded.has(table.name);
}

export function writePlain(table: MessageTable, form: Form): string {
  const members: string[] = [];
  for (const field of table.fields) {
    const text = writeField(field, heldIn(form, field));
    if (text !== undefined) members.push(`${quoteJson(field.name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

function writeField(field: Field, held: unknown): string | undefined {
  if (!field.repeated) return writeValue(field, held);
  const list = (held ?? []) as readonly unknown[];
  return list.length === 0 ? 'null' : `[${list.map((item) => writeValue(field, item) ?? 'null').join(',')}]`;
}

function writeValue(field: Field, held: unknown): string | undefined {
  switch (field.kind) {
    case 'message': {
      const table = field.message();
      return writePlain(table, (held ?? defaultForm(table)) as Form);
    }
    case 'timestamp':
      return `"${printTimestamp(held as Timestamp | undefined, 'trimmed')}"`;
    case 'string':
      return held === undefined || held === '' ? undefined : quoteJson(held as string);
    case 'int':
    case 'dec':
      return `"${(held as string | undefined) ?? '0'}"`;
    case 'int64':
    case 'uint64':
    case 'int32':
    case 'uint32':
      return held === undefined || Number(held) === 0 ? undefined : (held as number | bigint).toString();
    default:
      throw new CodecError(`${field.kind} does not occur in ${[...plainEncoded].join(' and ')}`);
  }
}

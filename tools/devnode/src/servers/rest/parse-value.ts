// Values of path and query parameters, with the gateway's error texts.
import type { EnumTable, Field } from '@hubwatch/types/runtime/table';
import { readDuration, readTimestamp } from '@hubwatch/types/runtime/time';

const widths: Readonly<Record<string, { readonly bits: number; readonly signed: boolean }>> = {
  int32: { bits: 32, signed: true },
  uint32: { bits: 32, signed: false },
  int64: { bits: 64, signed: true },
  uint64: { bits: 64, signed: false },
};

/** Parses an integer with base prefixes and underscores; a leading zero means octal. */
export function parseInteger(text: string, bits: number, signed: boolean): bigint {
  const parser = signed ? 'ParseInt' : 'ParseUint';
  const fail = (why: string): Error => new Error(`strconv.${parser}: parsing ${JSON.stringify(text)}: ${why}`);
  const match =
    /^([+-]?)(0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[bB]_?[01]+(?:_[01]+)*|0[oO]?_?[0-7]+(?:_[0-7]+)*|0|[1-9]\d*(?:_\d+)*)$/.exec(
      text,
    );
  if (match === null || (!signed && match[1] !== '')) throw fail('invalid syntax');
  let digits = (match[2] as string).replaceAll('_', '');
  if (/^0[0-7]/.test(digits)) digits = `0o${digits.slice(1)}`;
  const size = BigInt(digits);
  const value = match[1] === '-' ? -size : size;
  const fits = signed ? value === BigInt.asIntN(bits, value) : value === BigInt.asUintN(bits, value);
  if (!fits) throw fail('value out of range');
  return value;
}

function parseBool(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Decodes base64: tries the standard alphabet, then the URL alphabet. Both require padding. */
function parseBytes(text: string): Uint8Array {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const bad = /[^A-Za-z0-9+/]/.exec(standard.replace(/={0,2}$/, ''));
  if (bad !== null) throw new Error(`illegal base64 data at input byte ${bad.index}`);
  if (standard.length % 4 !== 0) {
    throw new Error(`illegal base64 data at input byte ${Math.floor(standard.length / 4) * 4}`);
  }
  return Buffer.from(standard, 'base64');
}

/** Parses an enum value; the gateway accepts names only for governance enums. */
function parseEnum(text: string, table: EnumTable | undefined): number {
  const named = table !== undefined && /^stack\.gov\./.test(table.name);
  const number = named ? table.values[text] : undefined;
  if (number !== undefined) return number;
  if (!named) return Number(parseInteger(text, 32, true));
  const simple = `${table.name.split('.').at(-2)}.${table.name.split('.').at(-1)}`;
  const wrong = new Error(`${text} is not a valid ${simple}`);
  let value: number;
  try {
    value = Number(parseInteger(text, 32, true));
  } catch {
    throw wrong;
  }
  if (!Object.values(table.values).includes(value)) throw wrong;
  return value;
}

/** Parses one value of a field. @throws Error with the gateway's text. */
export function parseValue(field: Field, text: string): unknown {
  const width = widths[field.kind];
  if (width !== undefined) {
    const value = parseInteger(text, width.bits, width.signed);
    return width.bits === 32 ? Number(value) : value;
  }
  if (field.kind === 'bool') return parseBool(text);
  if (field.kind === 'bytes' || field.kind === 'hex' || field.kind === 'rawJson') return parseBytes(text);
  if (field.kind === 'enum') return parseEnum(text, field.enum());
  if (field.kind === 'timestamp') return readTimestamp(text);
  if (field.kind === 'duration') return readDuration(text);
  if (field.kind === 'string') return text;
  throw new Error(`field type ${field.kind} is not supported in query parameters`);
}

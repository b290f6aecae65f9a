import { fromBase64 } from '@hubwatch/types/runtime/base64';
import { CodecError, within } from '@hubwatch/types/runtime/codec-error';
import { jsonKind } from '@hubwatch/types/runtime/json-kind';
import { readTimestamp } from '@hubwatch/types/runtime/time';
import type { Timestamp } from '@hubwatch/types/runtime/values';

/**
 * Checks of the members of a response. Engines omit zero values, and each serialiser omits different ones: a member
 * that is missing, null or empty is the zero value of its kind. A member of another kind is rejected, and so is a
 * missing one under `needed`.
 */

export type Json = Readonly<Record<string, unknown>>;

/** Runs a check on a member, and adds the name of the member to its error. */
export function member<T>(json: Json, name: string, check: (value: unknown) => T): T {
  try {
    return check(Object.hasOwn(json, name) ? json[name] : undefined);
  } catch (error) {
    throw within(error, name);
  }
}

/** Check of a member without which the response is useless, such as the height of a block. */
export function needed<T>(check: (value: unknown) => T): (value: unknown) => T {
  return (value) => {
    if (!isAbsent(value)) return check(value);
    throw new CodecError(`a value is expected, not ${value === '' ? 'an empty text' : jsonKind(value)}`);
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function object(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new CodecError(`an object is expected, not ${jsonKind(value)}`);
}

/** An object; `null` and absent have no members. */
export function parts(value: unknown): Json {
  return value === undefined || value === null ? {} : object(value);
}

/** An object with members; `undefined` for `null`, an absent value and an empty object. */
export function optionalObject(value: unknown): Json | undefined {
  const found = parts(value);
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Result of a check; `undefined` for `null`, an empty text and an absent value. */
export function optionalOf<T>(check: (value: unknown) => T): (value: unknown) => T | undefined {
  return (value) => (isAbsent(value) ? undefined : check(value));
}

/** A list; `null` and absent values are empty lists, as in the node. */
export function listOf<T>(check: (value: unknown) => T): (value: unknown) => T[] {
  return (value) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw new CodecError(`a list is expected, not ${jsonKind(value)}`);
    return value.map((item, index) => {
      try {
        return check(item);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    });
  };
}

export function textMember(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new CodecError(`a text is expected, not ${jsonKind(value)}`);
}

export function flag(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw new CodecError(`true or false is expected, not ${jsonKind(value)}`);
}

/** 64-bit number from decimal text. */
export function int64(value: unknown): bigint {
  if (isAbsent(value)) return 0n;
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) {
    const number = BigInt(value);
    if (BigInt.asIntN(64, number) === number) return number;
  }
  throw new CodecError(
    `a decimal text of 64 bits is expected, not ${typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : jsonKind(value)}`,
  );
}

/** Height of a block or state: a 64-bit number from 0. */
export function height(value: unknown): bigint {
  const found = int64(value);
  if (found >= 0n) return found;
  throw new CodecError(`a height is expected, not ${found}`);
}

/** 32-bit number. */
export function int32(value: unknown): number {
  if (isAbsent(value)) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value === (value | 0)) return value;
  throw new CodecError(`an integer of 32 bits is expected, not ${typeof value === 'number' ? value : jsonKind(value)}`);
}

/** Upper-case hex text, or the empty text. */
export function hex(value: unknown): string {
  const found = textMember(value);
  if (/^(?:[0-9A-F]{2})*$/.test(found)) return found;
  throw new CodecError(`upper-case hex is expected, not ${JSON.stringify(found.slice(0, 80))}`);
}

/** Bytes in base64. */
export function bytes(value: unknown): Uint8Array {
  return isAbsent(value) ? new Uint8Array(0) : fromBase64(textMember(value));
}

/** RFC 3339 text; the zero time is `undefined`. */
export function time(value: unknown): Timestamp | undefined {
  return isAbsent(value) ? undefined : readTimestamp(textMember(value));
}

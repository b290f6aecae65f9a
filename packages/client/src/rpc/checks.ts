import { fromBase64 } from '@hubwatch/types/runtime/base64';
import { CodecError, within } from '@hubwatch/types/runtime/codec-error';
import { jsonKind } from '@hubwatch/types/runtime/json-kind';
import { readTimestamp } from '@hubwatch/types/runtime/time';
import type { Timestamp } from '@hubwatch/types/runtime/values';

export type Json = Readonly<Record<string, unknown>>;

/** Runs a check on a member and names the member when it fails. */
export function member<T>(json: Json, name: string, check: (value: unknown) => T): T {
  try {
    return check(Object.hasOwn(json, name) ? json[name] : undefined);
  } catch (error) {
    throw within(error, name);
  }
}

export function object(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new CodecError(`an object is expected, not ${jsonKind(value)}`);
}

/** An object, `null` or nothing. */
export function optionalObject(value: unknown): Json | undefined {
  return value === undefined || value === null ? undefined : object(value);
}

/** What a check reads; `undefined` for `null` and nothing. */
export function optionalOf<T>(check: (value: unknown) => T): (value: unknown) => T | undefined {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

/** A list; `null` and absent are empty, as the node means them. */
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

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new CodecError(`a text is expected, not ${jsonKind(value)}`);
}

/** Text that some answers leave out when it is empty. */
export function textOrEmpty(value: unknown): string {
  return value === undefined || value === null ? '' : text(value);
}

export function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new CodecError(`true or false is expected, not ${jsonKind(value)}`);
}

/** 64-bit number, base-10 text. */
export function int64(value: unknown): bigint {
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw new CodecError(
    `a decimal text is expected, not ${typeof value === 'string' ? JSON.stringify(value) : jsonKind(value)}`,
  );
}

/** 64-bit number that some answers leave out when it is 0. */
export function int64OrZero(value: unknown): bigint {
  return value === undefined ? 0n : int64(value);
}

/** 32-bit number. */
export function int32(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value === (value | 0)) return value;
  throw new CodecError(`an integer of 32 bits is expected, not ${typeof value === 'number' ? value : jsonKind(value)}`);
}

export function int32OrZero(value: unknown): number {
  return value === undefined ? 0 : int32(value);
}

/** Upper-case hex text, or the empty text. */
export function hex(value: unknown): string {
  const found = text(value);
  if (/^(?:[0-9A-F]{2})*$/.test(found)) return found;
  throw new CodecError(`upper-case hex is expected, not ${JSON.stringify(found.slice(0, 80))}`);
}

/** Bytes in base64; `null` and absent are empty. */
export function bytes(value: unknown): Uint8Array {
  return value === undefined || value === null ? new Uint8Array(0) : fromBase64(text(value));
}

/** RFC 3339 text; the zero time is `undefined`. */
export function time(value: unknown): Timestamp | undefined {
  return readTimestamp(text(value));
}

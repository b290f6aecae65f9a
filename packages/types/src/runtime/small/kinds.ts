import { fieldsOf, misfit, type SmallField, type SmallKind, string, table } from './table.js';
import { varint } from './varint.js';

const fit = (text: string, pattern: RegExp): string => {
  if (pattern.test(text)) return text;
  throw misfit(text);
};

const integer =
  (bits: number, signed?: 1): SmallKind<bigint> =>
  (raw, walk) => {
    const whole = BigInt((raw ?? 0) as number);
    const value = signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
    if (raw == null || walk.exact(raw, value)) return value;
    throw misfit(raw);
  };
export const uint64 = /* @__PURE__ */ integer(64);
export const int64 = /* @__PURE__ */ integer(64, 1);
export const uint32: SmallKind<number> = (raw, walk) => Number(integer(32)(raw, walk));
export const int32: SmallKind<number> = (raw, walk) => Number(integer(32, 1)(raw, walk));

export const bool: SmallKind<boolean> = (raw) => {
  if (typeof (raw ??= false) === 'boolean') return raw;
  if (typeof raw === 'bigint' && raw >= 0) return raw > 0;
  throw misfit(raw);
};

/** Amounts: integers of any size, text everywhere. */
export const int: SmallKind<string> = (raw, walk) => fit(string(raw, walk) || '0', /^-?\d+$/);

/** Decimals with 18 digits: decimal text in JSON, text scaled by 10^18 on the wire. */
export const dec: SmallKind<string> = (raw, walk) => fit(walk.decimal(string(raw, walk) || '0'), /^-?\d+\.\d{18}$/);

/**
 * Numbers with names: `[no:]name`, from 0 on, with the texts of the gateway among them. A name that is not known stays text.
 */
export function enumOf(notation: string, prefix = ''): SmallKind<number | string> {
  let names: readonly SmallField[] | undefined;
  return (raw, walk) =>
    (names ??= fieldsOf(notation)).find(([, name]) => name === raw || prefix + name.toUpperCase() === raw)?.[0] ??
    (typeof raw === 'string' ? raw : int32(raw, walk));
}

/** A point in time; the zero time is none. */
export const timestamp: SmallKind = (raw, walk) => {
  const time = raw == null ? undefined : walk.span(raw, 'Z');
  return time?.seconds === -62135596800n && !time.nanos ? undefined : time;
};

/** A span of time; both parts carry its sign. */
export const duration: SmallKind = (raw, walk, always) =>
  raw == null ? (always ? { seconds: 0n, nanos: 0 } : undefined) : walk.span(raw, 's');

/** Base64 in JSON. Bytes of the wire are copied, so that a small field does not keep a large answer in memory. */
export const bytes: SmallKind = (raw, walk) =>
  raw instanceof Uint8Array ? raw.slice() : Uint8Array.from(atob(string(raw, walk)), (c) => c.charCodeAt(0));

export const hex: SmallKind = (raw, walk) => {
  if (raw instanceof Uint8Array) return raw.slice();
  const text = fit(string(raw, walk), /^([\da-f]{2})*$/i);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
};

/** Bytes that hold a JSON text, which the gateway prints inline. */
export const rawJson: SmallKind = (raw) =>
  raw instanceof Uint8Array ? raw.slice() : new TextEncoder().encode(raw == null ? '' : JSON.stringify(raw));

/** Kinds of the messages that a field may hold, by full name. */
export type SmallAny = () => Readonly<Record<string, SmallKind>>;

const parts = /* @__PURE__ */ table<{ typeUrl: string; value: unknown }>('type_url,value', () => [string, bytes]);

/** A message under its type URL. What is not known stays raw: bytes from the wire, members from JSON. */
export function anyOf(...known: readonly SmallAny[]): SmallKind {
  return (raw, walk) => {
    if (raw == null) return undefined;
    if (typeof raw !== 'object' || Array.isArray(raw)) throw misfit(raw);
    const { '@type': typeUrl = '', ...value } = raw as Record<string, unknown>;
    const any = raw instanceof Uint8Array ? parts(raw, walk) : { typeUrl: string(typeUrl, walk), value };
    const name = any.typeUrl.slice(1);
    const kinds = known.map((list) => list()).find((list) => Object.hasOwn(list, name));
    return kinds
      ? { typeUrl: any.typeUrl, value: kinds[name]?.(any.value, walk, 1) }
      : { typeUrl: any.typeUrl, raw: any.value };
  };
}

/** A list of numbers, which the wire packs into one block. */
export function packed(kind: SmallKind): SmallKind {
  return (raw, walk) => {
    if (!(raw instanceof Uint8Array)) return kind(raw, walk);
    const values: unknown[] = [];
    for (const cursor = { at: 0 }; cursor.at < raw.length; ) values.push(kind(varint(raw, cursor), walk));
    return values;
  };
}

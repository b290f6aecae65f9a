/** Value types of the decoded form. Shapes are the same over every transport. */

declare const brand: unique symbol;

/** Integer of any size as base-10 text (`-12`, `0`, `38885`). */
export type Int = string & { readonly [brand]?: 'Int' };

/** Decimal as text with exactly 18 fraction digits (`0.050000000000000000`), regardless of the scale on the wire. */
export type Dec = string & { readonly [brand]?: 'Dec' };

/** Point in time. Nanoseconds are kept. The chain's zero time (year 1) is `undefined`, never a value of this type. */
export interface Timestamp {
  readonly seconds: bigint;
  /** 0 to 999 999 999. */
  readonly nanos: number;
}

/** Signed span of time; both parts have the same sign. */
export interface Duration {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** A member of a closed union of messages, identified by its neutral type URL (`/hub.node.v3.Session`). */
export interface AnyKnown<Name extends string, T> {
  readonly typeUrl: `/${Name}`;
  readonly value: T;
}

// An enum is the only string type that TypeScript does not compare with a literal. It exists for the compiler only.
declare enum Unlisted {
  typeUrl = '',
}

declare enum UnlistedEnum {
  name = '',
}

/**
 * A type URL that its union does not list: any text at run time, assignable to `string`. For the compiler it differs from
 * every literal, so that a `switch` over `typeUrl` narrows to the listed messages.
 */
export type UnknownTypeUrl = Unlisted.typeUrl;

/**
 * A message of a type that the reader does not know. Over protobuf it has the raw bytes, over JSON the parsed members,
 * with integers beyond ±(2^53 - 1) as bigint.
 */
export interface AnyUnknown<Url extends string = UnknownTypeUrl> {
  readonly typeUrl: Url;
  readonly value?: undefined;
  readonly raw: Uint8Array | { readonly [member: string]: unknown };
}

/**
 * Name of an enum value that the reader does not know, from the JSON of a newer node: any text at run time, assignable to
 * `string`. For the compiler it differs from every literal, so that `status === 'STATUS_ACTIVE'` does not compile.
 */
export type UnknownEnumName = UnlistedEnum.name;

/** Enum value: its number, known or not, or a name that the reader does not know (gateway JSON only). */
export type EnumValue<Known extends number> = Known | (number & {}) | UnknownEnumName;

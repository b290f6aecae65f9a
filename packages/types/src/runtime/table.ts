import { CodecError } from './codec-error.js';
import type { Naming } from './naming.js';

/**
 * Field tables: what the codecs of this package know about a message. One table drives the binary codec and both JSON
 * dialects, so that a record has one decoded form whatever transport brought it.
 */

/** How one value is held on the wire, in JSON and in the decoded form. */
export type Kind =
  | 'bool'
  | 'int32'
  | 'uint32'
  | 'sint32'
  | 'fixed32'
  | 'sfixed32'
  | 'int64'
  | 'uint64'
  | 'sint64'
  | 'fixed64'
  | 'sfixed64'
  | 'float'
  | 'double'
  | 'string'
  | 'bytes'
  /** `bytes` printed as upper-case hex text by the gateway. */
  | 'hex'
  /** `bytes` that hold a JSON text, printed inline by the gateway. */
  | 'rawJson'
  /** Integer of any size, base-10 text everywhere. */
  | 'int'
  /** Decimal: text scaled by 10^18 on the wire, decimal text with 18 digits in JSON and in the form. */
  | 'dec'
  /** Like `dec`, with wire type `bytes` instead of `string`. */
  | 'decBytes'
  /** Decimal text on the wire too. */
  | 'decText'
  | 'enum'
  | 'message'
  | 'timestamp'
  | 'duration'
  | 'any'
  | 'map';

/** Translates the names inside a value: type URLs, services, event types, queries. */
export interface Carrier<T = string> {
  toWire(value: T, naming: Naming): T;
  fromWire(value: T, naming: Naming): T;
}

export interface Field {
  /** Field number. */
  readonly no: number;
  /** Name in the proto file, snake_case: the member name of gateway JSON. */
  readonly name: string;
  /** Member name in the decoded form, lowerCamelCase. */
  readonly prop: string;
  readonly kind: Kind;
  readonly repeated?: true;
  /** Held by value on the node: always on the wire, zero included, and never absent in the form (except the zero time). */
  readonly always?: true;
  /** Has presence: absent is `undefined`, and a zero that is there is on the wire. */
  readonly optional?: true;
  /** Name of the oneof; its members share one form member `{ $case, value }` under this name in lowerCamelCase. */
  readonly oneof?: string;
  /** Table of a `message` or of the value of a `map`. */
  readonly message?: () => MessageTable;
  /** Names of an `enum`. */
  readonly enum?: () => EnumTable;
  /** Implementations that an `any` field is known to carry. */
  readonly any?: () => AnyTable;
  /** Kinds of key and value of a `map`. */
  readonly map?: readonly [key: Kind, value: Kind];
  /** Of a `string` that carries names of the interface. */
  readonly carries?: () => Carrier;
}

export interface MessageTable<T = unknown> {
  /** Full neutral name, without a leading dot or slash. */
  readonly name: string;
  /** Fields in order of declaration, which is the order of gateway JSON. */
  readonly fields: readonly Field[];
  /** Of a message whose members carry names that no single member shows, such as an event. */
  readonly carries?: Carrier<Record<string, unknown>>;
  /** Type of the decoded form; never present at run time. */
  readonly form?: T;
}

export interface EnumTable {
  readonly name: string;
  /** Number by full name (`STATUS_ACTIVE`). */
  readonly values: Readonly<Record<string, number>>;
  /** Full name by the gateway's own short text (`active`), where the type has one. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface AnyTable {
  /** Neutral full message name → table. */
  readonly [typeName: string]: () => MessageTable;
}

/** Type of the decoded form of a table. */
export type FormOf<Table> = Table extends MessageTable<infer T> ? T : never;

/**
 * Table of the message that a field holds.
 *
 * @throws CodecError for a table made by hand that forgot it
 */
export function messageOf(field: Field): MessageTable {
  if (field.message === undefined) throw new CodecError(`the table names no message for its field ${field.name}`);
  return field.message();
}

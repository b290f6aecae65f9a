import type { FieldShape, ValueShape } from '../gen/field.js';
import type { Naming } from './naming.js';

export type { FieldShape, Kind, ScalarKind } from '../gen/field.js';

/**
 * Field tables: what the codecs of this package know about a message. One table drives the binary codec and both JSON
 * dialects, so that a record has one decoded form whatever transport brought it.
 */

/** Translates the names inside a value: type URLs, services, event types, queries. */
export interface Carrier<T = string> {
  toWire(value: T, naming: Naming): T;
  fromWire(value: T, naming: Naming): T;
}

interface FieldFacts {
  /** Field number. */
  readonly no: number;
  /** Name in the proto file, snake_case: the member name of gateway JSON. */
  readonly name: string;
  /** Member name in the decoded form, lowerCamelCase. */
  readonly prop: string;
  readonly repeated?: true;
  /** Held by value on the node: always on the wire, zero included, and never absent in the form (except the zero time). */
  readonly always?: true;
  /** Has presence: absent is `undefined`, and a zero that is there is on the wire. */
  readonly optional?: true;
  /** Name of the oneof; its members share one form member `{ $case, value }` under this name in lowerCamelCase. */
  readonly oneof?: string;
  /** Of a `string` that carries names of the interface. */
  readonly carries?: () => Carrier;
}

/** A single value, with the tables that it refers to. */
export type TableValue = ValueShape<() => MessageTable, () => EnumTable, () => AnyTable>;

/** One field of a table: its facts, and its value discriminated by `kind`. */
export type Field = FieldFacts & FieldShape<() => MessageTable, () => EnumTable, () => AnyTable>;

/** Field with a value of one kind. */
export type FieldOf<K extends Field['kind']> = Extract<Field, { readonly kind: K }>;

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

/** The field with other tables in place of those of the messages that it holds. */
export function withTables(field: Field, replace: (table: MessageTable) => MessageTable): Field {
  if (field.kind === 'map') return { ...field, value: shapeWithTables(field.value, replace) };
  return shapeWithTables(field, replace);
}

function shapeWithTables<S extends TableValue>(shape: S, replace: (table: MessageTable) => MessageTable): S {
  if (shape.kind === 'message') return { ...shape, message: () => replace(shape.message()) };
  if (shape.kind !== 'any' || shape.any === undefined) return shape;
  const tables = shape.any;
  let replaced: AnyTable | undefined;
  const any = (): AnyTable =>
    (replaced ??= Object.fromEntries(
      Object.entries(tables()).map(([name, table]) => [name, () => replace(table())] as const),
    ));
  return { ...shape, any };
}

/** The value of a map, as a field: it is always on the wire. */
export function mapValue({ key: _, value, ...facts }: FieldOf<'map'>): Field {
  return { ...facts, no: 2, always: true, ...value };
}

import type { FieldShape, ValueShape } from '../gen/field.js';
import type { Naming } from './naming.js';

export type { FieldShape, Kind, ScalarKind } from '../gen/field.js';

/**
 * Field tables describe messages for the codecs of this package. One table is used by the binary codec and both JSON
 * dialects, so that a record has the same decoded form over every transport.
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
  /** Stored by value on the node: always on the wire, even if zero. Never absent in the form, except the zero time. */
  readonly always?: true;
  /** Has field presence: an absent value is `undefined`, and a zero is on the wire. */
  readonly optional?: true;
  /** Name of the oneof. Its fields share one form member `{ $case, value }`, named like the oneof in lowerCamelCase. */
  readonly oneof?: string;
  /** Set for a `string` that contains names of the network. */
  readonly carries?: () => Carrier;
}

/** Shape of a single value, with references to tables. */
export type TableValue = ValueShape<() => MessageTable, () => EnumTable, () => AnyTable>;

/** One field of a table. The shape of its value is discriminated by `kind`. */
export type Field = FieldFacts & FieldShape<() => MessageTable, () => EnumTable, () => AnyTable>;

/** Field of one kind. */
export type FieldOf<K extends Field['kind']> = Extract<Field, { readonly kind: K }>;

export interface MessageTable<T = unknown> {
  /** Full neutral name, without a leading dot or slash. */
  readonly name: string;
  /** Fields in declaration order, which is also the order of gateway JSON. */
  readonly fields: readonly Field[];
  /** Set for a message whose names cannot be found member by member, such as an event. */
  readonly carries?: Carrier<Record<string, unknown>>;
  /** Only declares the type of the decoded form. Never set at run time. */
  readonly form?: T;
}

export interface EnumTable {
  readonly name: string;
  /** Numbers by full name (`STATUS_ACTIVE`). */
  readonly values: Readonly<Record<string, number>>;
  /** Full names by the short text that the gateway prints (`active`), if the type has such texts. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface AnyTable {
  /** Tables by neutral full message name. */
  readonly [typeName: string]: () => MessageTable;
}

/** Type of the decoded form of a table. */
export type FormOf<Table> = Table extends MessageTable<infer T> ? T : never;

/** Returns a copy of the field in which the tables of its messages are replaced. */
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

/** Returns the value of a map as a field. It is always on the wire. */
export function mapValue({ key: _, value, ...facts }: FieldOf<'map'>): Field {
  return { ...facts, no: 2, always: true, ...value };
}

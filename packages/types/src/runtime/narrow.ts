import { memberOf } from './form-member.js';
import type { AnyMethod, ResponseOf } from './method.js';
import { type Field, type MessageTable, withTables } from './table.js';

/** Selected members of one message; see {@link narrow}. */
export interface Wanted<T, K extends keyof T & string> extends AnyWanted {
  readonly table: MessageTable<T>;
  readonly members: readonly K[];
}

/** Selected members of any message. */
export interface AnyWanted {
  readonly table: MessageTable;
  readonly members: readonly string[];
}

/** Selects members of a message; see {@link narrow}. */
export function only<T, K extends keyof T & string>(table: MessageTable<T>, ...members: readonly K[]): Wanted<T, K> {
  return { table, members };
}

type Same<A, B> = (<G>() => G extends A ? 1 : 2) extends <G>() => G extends B ? 1 : 2 ? true : false;

type MembersOf<T, W> = W extends Wanted<infer Form, infer K> ? (Same<Form, T> extends true ? K : never) : never;

type Kept<T, W> = [MembersOf<T, W>] extends [never] ? keyof T : MembersOf<T, W> & keyof T;

/** A form that contains only the selected members, at any depth. */
export type NarrowForm<T, W> = T extends string | number | bigint | boolean | undefined | Uint8Array
  ? T
  : T extends readonly (infer E)[]
    ? readonly NarrowForm<E, W>[]
    : { readonly [K in Kept<T, W>]: NarrowForm<T[K], W> };

/** A method constant whose responses contain only the selected members. */
export type NarrowMethod<M extends AnyMethod, W> = Omit<M, 'response'> & {
  readonly response: MessageTable<NarrowForm<ResponseOf<M>, W>>;
};

/**
 * The same method with a response of which only some members are decoded. The others are skipped, over every transport:
 * code that sums one number of each record of a long list only pays for that number. Skipped members are not validated
 * either. Messages that are not listed are decoded completely.
 *
 * ```ts
 * const statuses = narrow(queryNodes, only(Node, 'status'));
 * for await (const { items } of pages(grpc, statuses, {})) …
 * ```
 *
 * Include the identifying members of a record (`id`, `address`, `denom`) if the pages may have different heights:
 * without them, the client cannot detect a record that was returned twice.
 *
 * Create the method once and reuse it: the decoder of a table is compiled on first use.
 */
export function narrow<M extends AnyMethod, const W extends readonly AnyWanted[]>(
  method: M,
  ...wanted: W
): NarrowMethod<M, W[number]> {
  const membersOf = new Map(wanted.map(({ table, members }) => [table, new Set(members)]));
  const tables = new Map<MessageTable, MessageTable>();
  const tableOf = (table: MessageTable): MessageTable => {
    const known = tables.get(table) ?? narrowTable(table, membersOf.get(table), tableOf);
    tables.set(table, known);
    return known;
  };
  return { ...method, response: tableOf(method.response) } as unknown as NarrowMethod<M, W[number]>;
}

type TableOf = (table: MessageTable) => MessageTable;

function narrowTable(table: MessageTable, members: ReadonlySet<string> | undefined, tableOf: TableOf): MessageTable {
  let fields: readonly Field[] | undefined;
  return {
    name: table.name,
    ...(table.carries && { carries: table.carries }),
    // Computed on access: a message may contain itself.
    get fields() {
      return (fields ??= table.fields
        .filter((field) => members?.has(memberOf(field)) ?? true)
        .map((field) => withTables(field, tableOf)));
    },
  };
}

import type { StoreConnection, Row, Value } from './connection.js';
import { StoreError } from './store-error.js';
import { damageOf } from './store-file.js';
import { tables } from './tables.js';

/** Number of rows copied between two checks of the time. */
const rowsAtOnce = 100;

/** Number of rows counted between two checks of the time. */
const rowsCountedAtOnce = 20_000;

/** Properties of a table that copying depends on. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of the primary key. */
  readonly keys: readonly string[];
}

/** Groups of related tables, in copy order. */
export const tableGroups: readonly { readonly name: string; readonly tables: readonly string[] }[] = [
  ...new Set(tables.map(({ group }) => group)),
].map((name) => ({ name, tables: tables.filter(({ group }) => group === name).map((table) => table.name) }));

/** Tables of a database, in copy order. A copy may stop early, so notices come before the tables that depend on them. */
export const tablesOf = (connection: Pick<StoreConnection, 'all'>): readonly Table[] =>
  connection
    .all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .map(({ name }) => {
      const columns = connection.all(`PRAGMA table_info(${quoted(String(name))})`);
      return {
        name: String(name),
        columns: columns.map((column) => String(column['name'])),
        keys: columns
          .filter((column) => Number(column['pk']) > 0)
          .toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
          .map((column) => String(column['name'])),
      };
    });

/** Counts rows in pieces. Pauses after every piece so that the caller can yield. */
export function* countRows(
  connection: Pick<StoreConnection, 'all'>,
  { name, keys }: Table,
  atOnce = rowsCountedAtOnce,
): Generator<void, number> {
  let last: readonly Value[] = [];
  for (let count = 0; ; count += atOnce) {
    const after = last.length === 0 ? '' : `WHERE (${list(keys)}) > (${marks(keys)})`;
    const [row] = connection.all(
      `SELECT ${list(keys)} FROM ${quoted(name)} ${after} ORDER BY ${list(keys)} LIMIT 1 OFFSET ${atOnce - 1}`,
      ...last,
    );
    if (row === undefined) {
      const [rest] = connection.all(`SELECT COUNT(*) AS rows FROM ${quoted(name)} ${after}`, ...last);
      return count + Number(rest?.['rows']);
    }
    last = valuesOf(row, keys);
    yield;
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const list = (names: readonly string[]): string => names.map(quoted).join(', ');
const marks = (names: readonly string[]): string => names.map(() => '?').join(', ');
const valuesOf = (row: Row, names: readonly string[]): Value[] => names.map((name) => row[name] as Value);

/** Copies rows, the latest keys first. Pauses after every piece so that the caller can yield. */
function* copyTable(from: StoreConnection, to: StoreConnection, table: Table, most: number): Generator<void> {
  const { name, columns, keys } = table;
  const insert = `INSERT OR REPLACE INTO ${quoted(name)} (${list(columns)}) VALUES (${marks(columns)})`;
  const order = keys.map((key) => `${quoted(key)} DESC`).join(', ');
  let last: Row | undefined;
  for (let copied = 0; copied < most; ) {
    const where = last === undefined ? '' : `WHERE (${list(keys)}) < (${marks(keys)})`;
    const rows = from.all(
      `SELECT ${list(columns)} FROM ${quoted(name)} ${where} ORDER BY ${order} LIMIT ${rowsAtOnce}`,
      ...(last === undefined ? [] : valuesOf(last, keys)),
    );
    to.transaction(() => {
      for (const row of rows) to.run(insert, ...valuesOf(row, columns));
    });
    if (rows.length < rowsAtOnce) return;
    copied += rows.length;
    last = rows.at(-1);
    yield;
  }
}

/** Limits of a copy. */
export interface CopyLimits {
  /** Maximum number of ledger rows copied, the latest first; by default all. */
  readonly ledgerRows?: number;
  /** Copies a group only if SQLite reports no damage in any of its tables. */
  readonly isChecked?: boolean;
}

/** Copies all tables in pieces. A group with unreadable data is left empty; returns the names of such groups. */
export function* copyTables(
  from: StoreConnection,
  to: StoreConnection,
  { ledgerRows = Number.MAX_SAFE_INTEGER, isChecked = false }: CopyLimits = {},
): Generator<void, readonly string[]> {
  const known = new Map(tablesOf(to).map((table) => [table.name, table]));
  const lost: string[] = [];
  for (const group of tableGroups) {
    const ofGroup = group.tables.flatMap((name) => known.get(name) ?? []);
    try {
      const damage = isChecked
        ? ofGroup.map(({ name }) => damageOf(from, name)).find((found) => found !== undefined)
        : undefined;
      if (damage !== undefined) throw new StoreError('damaged', damage);
      for (const table of ofGroup)
        yield* copyTable(from, to, table, table.name === 'ledger' ? ledgerRows : Number.MAX_SAFE_INTEGER);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      to.transaction(() => {
        for (const { name } of ofGroup) to.run(`DELETE FROM ${quoted(name)}`);
      });
      lost.push(group.name);
    }
  }
  copySequences(from, to);
  return lost;
}

/** Copies the sequences, so that assigned numbers are not reused even if their rows are gone. */
const copySequences = (from: StoreConnection, to: StoreConnection): void => {
  try {
    for (const { name, seq } of from.all('SELECT name, seq FROM sqlite_sequence')) {
      to.transaction(() => {
        to.run('DELETE FROM sqlite_sequence WHERE name = ?', String(name));
        to.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', String(name), Number(seq));
      });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
};

/** Records the keys of all rows that change in a database from now on, in the same transactions. */
export const trackChanges = (connection: StoreConnection): void => {
  // Without this option the deletion of a replaced row is not recorded.
  connection.exec('PRAGMA recursive_triggers = ON');
  for (const { name, keys } of tablesOf(connection)) {
    const log = quoted(`changed ${name}`);
    connection.exec(`CREATE TEMP TABLE ${log} (${list(keys)}, PRIMARY KEY (${list(keys)}))`);
    const note = (row: 'NEW' | 'OLD'): string =>
      `INSERT OR REPLACE INTO ${log} VALUES (${keys.map((key) => `${row}.${quoted(key)}`).join(', ')});`;
    for (const [event, notes] of [
      ['INSERT', note('NEW')],
      ['DELETE', note('OLD')],
      ['UPDATE', note('OLD') + note('NEW')],
    ] as const)
      connection.exec(
        `CREATE TEMP TRIGGER ${quoted(`${event} of ${name}`)} AFTER ${event} ON main.${quoted(name)} BEGIN ${notes} END`,
      );
  }
};

/** Writes changed rows to another database, one piece per step, until none is left. */
export function* mergeChanges(from: StoreConnection, to: StoreConnection): Generator<void> {
  const all = tablesOf(from);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const table of all) {
      const { name, columns, keys } = table;
      const log = quoted(`changed ${name}`);
      const at = keys.map((key) => `${quoted(key)} IS ?`).join(' AND ');
      const changed = from.all(`SELECT ${list(keys)} FROM temp.${log} LIMIT ${rowsAtOnce}`);
      if (changed.length === 0) continue;
      to.transaction(() => {
        for (const key of changed) {
          const [row] = from.all(`SELECT ${list(columns)} FROM ${quoted(name)} WHERE ${at}`, ...valuesOf(key, keys));
          if (row === undefined) to.run(`DELETE FROM ${quoted(name)} WHERE ${at}`, ...valuesOf(key, keys));
          else
            to.run(
              `INSERT OR REPLACE INTO ${quoted(name)} (${list(columns)}) VALUES (${marks(columns)})`,
              ...valuesOf(row, columns),
            );
        }
      });
      from.transaction(() => {
        for (const key of changed) from.run(`DELETE FROM temp.${log} WHERE ${at}`, ...valuesOf(key, keys));
      });
      isDone = false;
      yield;
    }
  }
}

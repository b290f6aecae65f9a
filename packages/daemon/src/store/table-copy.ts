import type { StoreConnection, Row, Value } from './connection.js';
import { StoreError } from './store-error.js';
import { damageOf } from './store-file.js';

/** Number of rows copied between two checks of the time. */
const rowsAtOnce = 100;

/** Properties of a table that copying requires. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of the primary key. */
  readonly keys: readonly string[];
}

/** Tables that are copied together: a part of them alone would be inconsistent. */
export const tableGroups: readonly { readonly name: string; readonly tables: readonly string[] }[] = [
  { name: 'alerts and notices', tables: ['alerts', 'told', 'outbox'] },
  { name: 'silences', tables: ['silences'] },
  {
    name: 'ledger',
    tables: ['ledger', 'ledger_gaps', 'ledger_subjects', 'ledger_totals', 'ledger_payouts', 'facts'],
  },
  { name: 'heartbeats', tables: ['heartbeats'] },
  { name: 'changes', tables: ['seen_values', 'changes', 'change_counts'] },
  { name: 'sessions', tables: ['node_sessions', 'session_pieces', 'session_hours'] },
  { name: 'sweeps', tables: ['sweeps'] },
];

/** Tables of a database, in an order in which a copy may stop: notices before the tables that depend on them. */
export const tablesOf = (connection: StoreConnection): readonly Table[] =>
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
  const tables = new Map(tablesOf(to).map((table) => [table.name, table]));
  const lost: string[] = [];
  for (const group of tableGroups) {
    const ofGroup = group.tables.flatMap((name) => tables.get(name) ?? []);
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
  const tables = tablesOf(from);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const table of tables) {
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

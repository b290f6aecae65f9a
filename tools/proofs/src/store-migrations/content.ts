import type { Connection } from '@hubwatch/daemon/parts';

export type Value = string | number | null;
export type StoredRow = Readonly<Record<string, Value>>;
/** Rows by table. */
export type Content = ReadonlyMap<string, readonly StoredRow[]>;

const isOwn = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

export function tableNames(connection: Connection): readonly string[] {
  return connection
    .all(`SELECT name FROM sqlite_master WHERE type = 'table' AND ${isOwn} ORDER BY rowid`)
    .map(({ name }) => String(name));
}

/** Statements that created the tables and indexes, in an order that does not depend on the order of creation. */
export function schemaOf(connection: Connection): readonly string[] {
  return connection
    .all('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL')
    .map(({ sql }) => String(sql).replaceAll(/\s+/g, ' ').trim())
    .filter((sql) => !sql.startsWith('CREATE TABLE sqlite_'))
    .toSorted();
}

export function contentOf(connection: Connection): Content {
  return new Map(
    tableNames(connection).map((name) => [name, connection.all(`SELECT * FROM "${name}"`) as readonly StoredRow[]]),
  );
}

export function versionOf(connection: Connection): number {
  return Number(connection.all('PRAGMA user_version')[0]?.['user_version']);
}

/** Describes the first difference between two contents; `undefined` if there is none. The order of rows is ignored. */
export function difference(expected: Content, found: Content): string | undefined {
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, there] = [expected, found].map((content) => (content.get(name) ?? []).map(textOf).toSorted());
    if (wanted === undefined || there === undefined) continue;
    const at = wanted.findIndex((row, index) => row !== there[index]);
    if (at >= 0) return `${name}: expected ${wanted[at]}, found ${there[at] ?? 'no more rows'}`;
    if (there.length > wanted.length) return `${name}: ${there.length} rows, expected ${wanted.length}`;
  }
  return undefined;
}

function textOf(row: StoredRow): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

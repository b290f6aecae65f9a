import { Connection, migrations } from '@hubwatch/daemon/parts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';
import { RandomSource } from '../random-source.js';
import { type StoredRow, tableNames, type Value } from './content.js';
import { addRandomRows } from './random-rows.js';

/** Folder with a store of every version, as text. */
const folder = join(workspace, 'packages/daemon/test/stores');
/** First version that marks its file as a store of hubwatch. */
const firstMarked = 17;
const applicationId = 0x68_75_62_77;
const rowCounts = { ledger: 6, others: 4 };

export const pathOfVersion = (version: number): string =>
  join(folder, `version-${String(version).padStart(2, '0')}.sql`);

/** SQL statements that create the store of a version, with a few rows in every table. */
export const storeText = (version: number): string => readFileSync(pathOfVersion(version), 'utf8');

/**
 * Writes the missing stores. An existing one is never overwritten, because it shows what that version wrote. @returns the paths
 */
export function writeMissingStores(): readonly string[] {
  const missing = migrations.map((_, at) => at + 1).filter((version) => !existsSync(pathOfVersion(version)));
  for (const version of missing) writeFileSync(pathOfVersion(version), dumpOf(version));
  return missing.map(pathOfVersion);
}

function dumpOf(version: number): string {
  const connection = new Connection(':memory:');
  try {
    for (const step of migrations.slice(0, version)) connection.exec(step);
    addRandomRows(connection, new RandomSource(version), rowCounts);
    const schema = connection
      .all("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY rowid")
      .map(({ sql }) => `${String(sql)};`);
    const rows = tableNames(connection).flatMap((name) =>
      connection.all(`SELECT * FROM "${name}"`).map((row) => insertOf(name, row as StoredRow)),
    );
    const mark = version < firstMarked ? [] : [`PRAGMA application_id = ${applicationId};`];
    return [...mark, ...schema, ...rows, `PRAGMA user_version = ${version};`, ''].join('\n');
  } finally {
    connection.close();
  }
}

function insertOf(table: string, row: StoredRow): string {
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`;
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

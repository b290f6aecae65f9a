import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { migrations } from './migrations.js';
import { openStore } from './store.js';
import { reportStore } from './store-report.js';

const versions = migrations.map((_, at) => at + 1);
const fixtureOf = (version: number): string =>
  join(import.meta.dirname, `../../test/stores/version-${String(version).padStart(2, '0')}.sql`);

/** Names and SQL of tables and indexes, ignoring spaces. */
function schemaOf(fill: (db: Libsql.Database) => void): readonly string[] {
  const db = new Libsql(':memory:');
  fill(db);
  const rows = db.prepare('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL').all() as { readonly sql: string }[];
  db.close();
  return rows.map(({ sql }) => sql.replaceAll(/\s+/g, ' ').trim()).toSorted();
}

test('migrations: every version has a fixture store as text', () => {
  const missing = versions.map(fixtureOf).filter((path) => !existsSync(path));
  expect(
    missing,
    'write it with: npx tsx --conditions=@hubwatch/source tools/proofs/src/store-migrations/write-stores.ts',
  ).toEqual([]);
});

test.each(versions)(
  'migrations: the fixture of version %d equals the result of its migrations: no released migration was edited',
  (version) => {
    const fromSteps = schemaOf((db) => {
      for (const step of migrations.slice(0, version)) db.exec(step);
    });
    expect(schemaOf((db) => db.exec(readFileSync(fixtureOf(version), 'utf8')))).toEqual(fromSteps);
  },
);

test.each(versions)('migrations: a store of version %d keeps the rows of every table', (version) => {
  const path = join(temporaryFolder(), 'hubwatch.db');
  const old = new Libsql(path);
  old.exec(readFileSync(fixtureOf(version), 'utf8'));
  old.close();
  expect(reportStore(path, { isLive: false })).toMatchObject({ version, faults: [] });
  const counts = rowsOf(path);
  expect(counts.size).toBeGreaterThan(4);
  openStore(path).close();
  const after = rowsOf(path);
  for (const [table, rows] of counts) {
    expect(rows, table).toBeGreaterThan(0);
    expect(after.get(table), table).toBe(rows);
  }
  expect(reportStore(path, { isLive: true })).toMatchObject({ version: migrations.length, faults: [] });
});

function rowsOf(path: string): ReadonlyMap<string, number> {
  const db = new Libsql(path);
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").all() as {
    readonly name: string;
  }[];
  const rows = names.map(({ name }) => {
    const { count } = db.prepare(`SELECT COUNT(*) AS count FROM ${name}`).get() as { readonly count: number };
    return [name, count] as const;
  });
  db.close();
  return new Map(rows);
}

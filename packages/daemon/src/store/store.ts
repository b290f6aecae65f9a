import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { migrations } from './migrations.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** The daemon's one file. Every commit is on disk before the call returns. */
export interface Store {
  readonly path: string;
  run(sql: string, ...values: Value[]): void;
  all(sql: string, ...values: Value[]): readonly Row[];
  /** All writes of `work`, or none. May be nested: the outermost commits. */
  transaction<T>(work: () => T): T;
  /** Size on disk, write-ahead log included. */
  bytes(): number;
  close(): void;
}

/** What an observer of the store is told; durations in seconds. */
export interface StoreMeter {
  committed(seconds: number): void;
  failed(operation: 'read' | 'write'): void;
}

const silent: StoreMeter = { committed() {}, failed() {} };

/** Opens the file, creating or migrating it. @throws Error that says which file and what to do. */
export const openStore = (path: string, meter: StoreMeter = silent): Store => {
  const db = openFile(path);
  const statements = new Map<string, Libsql.Statement>();
  let depth = 0;

  const prepare = (sql: string): Libsql.Statement => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const counted = <T>(operation: 'read' | 'write', work: () => T): T => {
    try {
      return work();
    } catch (error) {
      meter.failed(operation);
      throw error;
    }
  };
  const transaction = <T>(work: () => T): T => {
    if (depth > 0) return work();
    const started = performance.now();
    depth += 1;
    try {
      db.exec('BEGIN IMMEDIATE');
      const result = work();
      db.exec('COMMIT');
      meter.committed((performance.now() - started) / 1_000);
      return result;
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    } finally {
      depth -= 1;
    }
  };

  return {
    path,
    run: (sql, ...values) => {
      counted('write', () =>
        depth > 0 ? prepare(sql).run(...values) : transaction(() => prepare(sql).run(...values)),
      );
    },
    all: (sql, ...values) => counted('read', () => prepare(sql).all(...values) as Row[]),
    transaction,
    bytes: () => fileBytes(path) + fileBytes(`${path}-wal`),
    close: () => {
      db.close();
    },
  };
};

const openFile = (path: string): Libsql.Database => {
  let db: Libsql.Database;
  try {
    db = new Libsql(path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000;');
    if (path !== ':memory:') chmodSync(path, 0o600);
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new Error(`store.path: ${path} is a folder; set the path of a file in it`, { cause: error });
    if (/not a database|malformed/.test((error as Error).message))
      throw new Error(
        `store.path: ${path} is no store of hubwatch, or is damaged (${(error as Error).message}); move it away or set another path`,
        { cause: error },
      );
    throw new Error(
      `store.path: ${path} cannot be opened: ${(error as Error).message}; its folder (${dirname(path)}) must exist and be writable for this user`,
      { cause: error },
    );
  }
  migrate(db, path);
  return db;
};

const migrate = (db: Libsql.Database, path: string): void => {
  const version = (db.prepare('PRAGMA user_version').all()[0] as { user_version: number }).user_version;
  if (version > migrations.length) {
    db.close();
    throw new Error(
      `store.path: ${path} was written by a newer hubwatch (version ${version} of the file, this one knows ${migrations.length}); install that version or set another path`,
    );
  }
  for (const [index, step] of migrations.entries()) {
    if (index >= version) db.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
};

const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

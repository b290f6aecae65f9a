import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { storeErrorOf, type StoreFaultKind } from './store-error.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Receives store measurements; durations in seconds. */
export interface StoreMeter {
  committed(seconds: number): void;
  failed(operation: 'read' | 'write'): void;
  /** One database call, which blocked the event loop for this time. */
  waited(seconds: number): void;
}

const silent: StoreMeter = { committed() {}, failed() {}, waited() {} };

/** Free space below which an unexplained SQLite failure counts as a full disk. */
const fullBytes = 65_536;

/** An open database. Database failures are thrown as `StoreError`; each call is measured. */
export class StoreConnection {
  readonly path: string;
  readonly #db: Libsql.Database;
  readonly #meter: StoreMeter;
  readonly #statements = new Map<string, Libsql.Statement>();
  #depth = 0;

  /** @param name file name for SQLite, if it differs from the path: a URI with options */
  constructor(path: string, meter: StoreMeter = silent, name = path) {
    this.path = path;
    this.#meter = meter;
    this.#db = this.#call('read', () => new Libsql(name));
  }

  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  exec(sql: string): void {
    this.#call('write', () => this.#db.exec(sql));
  }

  run(sql: string, ...values: Value[]): void {
    const write = (): void => void this.#call('write', () => this.#prepare(sql).run(...values));
    if (this.#depth > 0) write();
    else this.transaction(write);
  }

  all(sql: string, ...values: Value[]): readonly Row[] {
    return this.#call('read', () => this.#prepare(sql).all(...values) as Row[]);
  }

  /** Commits all writes of `work`, or none. May be nested: the outermost commits. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.begin();
    return this.within(work);
  }

  /** Acquires the write lock. @throws StoreError if it is not available; then nothing was changed */
  begin(): void {
    this.exec('BEGIN IMMEDIATE');
    this.#depth += 1;
  }

  /** Runs work in the transaction that `begin` opened, and ends it. */
  within<T>(work: () => T): T {
    try {
      const result = work();
      const started = performance.now();
      this.exec('COMMIT');
      this.#meter.committed((performance.now() - started) / 1_000);
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Acquires and releases the write lock; writes nothing. @throws StoreError if it is not available */
  probe(): void {
    this.exec('BEGIN IMMEDIATE');
    this.#rollBack();
  }

  /** Opens a snapshot: reads until `end` see one state of the file. */
  snapshot(): { end(): void } {
    this.exec('BEGIN');
    return { end: () => this.#rollBack() };
  }

  /**
   * Closes the database. The native handle stays open until its statements are collected: `libsql` cannot finalize
   * them.
   */
  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /**
   * Closes the database permanently because another file will take its path. Writes the log to the file and removes the
   * log now: SQLite would remove it by its path later, when the last statement has been collected.
   */
  retire(): void {
    try {
      this.#db.exec('PRAGMA journal_mode = DELETE');
    } catch {
      // A file that cannot be written has released its log anyway.
    }
    this.close();
  }

  #rollBack(): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // A database that cannot roll back has already dropped the transaction; the original failure is thrown.
    }
  }

  #prepare(sql: string): Libsql.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #call<T>(operation: 'read' | 'write', work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } catch (error) {
      this.#meter.failed(operation);
      throw storeErrorOf(error, () => fileSystemFault(this.path));
    } finally {
      this.#meter.waited((performance.now() - started) / 1_000);
    }
  }
}

/** Whether the file system of a path has so little space that the next commit may fail. */
export const isDiskFull = (path: string): boolean => {
  try {
    const { bavail, bfree, bsize } = statfsSync(dirname(path));
    // Some blocks are reserved for root.
    return (process.getuid?.() === 0 ? bfree : bavail) * bsize < fullBytes;
  } catch {
    return false;
  }
};

const fileSystemFault = (path: string): StoreFaultKind => {
  try {
    if (isDiskFull(path)) return 'full';
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return 'readonly';
  }
  return 'failing';
};

/** Size on disk, including the write-ahead log. */
export const storeBytes = (path: string): number => fileBytes(path) + fileBytes(`${path}-wal`);

const fileBytes = (path: string): number => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // A parent folder became a file or is not accessible, so the size is unknown.
    return 0;
  }
};

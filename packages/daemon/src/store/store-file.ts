import { chmodSync, closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreConnection, type StoreMeter } from './connection.js';
import { migrations } from './migrations.js';
import { StoreError } from './store-error.js';

/** Marks a SQLite file as a store of hubwatch: "hubw" in ASCII. */
const applicationId = 0x68_75_62_77;
const applicationMark = 'hubw';
/** Maximum time that the daemon waits for a lock of another process: its event loop is blocked meanwhile. */
const shortBusyMs = 20;
const magic = 'SQLite format 3\0';
/** Texts that only the schema of a store contains. They remain readable if other parts of the file are damaged. */
const schemaMarks = ['CREATE TABLE heartbeats', 'CREATE TABLE ledger_totals', 'CREATE TABLE session_pieces'];

/** State of the file at the store's path. `damaged`: it was a store of hubwatch. */
export type FileState = 'absent' | 'store' | 'damaged';

/**
 * Determines the content of a path before it is written to.
 *
 * @param wasUsed whether a daemon had its store at this path
 * @throws Error with the remedy if it contains data that are not a store of hubwatch: such a file is never changed
 * @throws StoreError if the file cannot be read now
 */
export const inspectFile = (path: string, wasUsed: boolean): FileState => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'absent';
  if (stat.isDirectory()) throw new Error(`store.path: ${path} is a folder; set the path of a file in it`);
  if (!stat.isFile()) throw new Error(`store.path: ${path} is not a regular file; set another path`);
  if (stat.size === 0) return 'absent';
  const head = headOf(path);
  const hasSchema = (): boolean => containsMark(path) || containsMark(`${path}-wal`);
  if (!head.startsWith(magic)) {
    if (wasUsed || hasSchema()) return 'damaged';
    throw foreign(path, 'it is not a database');
  }
  if (head.endsWith(applicationMark) || hasSchema()) return 'store';
  throw foreign(path, 'it is the database of another program');
};

const foreign = (path: string, why: string): Error =>
  new Error(`store.path: ${path} is not a store of hubwatch (${why}); move it away or set another path`);

/**
 * The first bytes of a file, up to the application id. No connection of this process may have it open: closing a file
 * drops the locks that the process holds on it.
 */
const headOf = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(72);
    return head.toString('latin1', 0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
};

const containsMark = (path: string): boolean => {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  try {
    const overlap = Math.max(...schemaMarks.map((mark) => mark.length));
    const block = Buffer.alloc(1 << 20);
    for (let at = 0; ; at += block.length - overlap) {
      const read = readSync(file, block, 0, block.length, at);
      const text = block.toString('latin1', 0, read);
      if (schemaMarks.some((mark) => text.includes(mark))) return true;
      if (read < block.length) return false;
    }
  } finally {
    closeSync(file);
  }
};

export interface OpenOptions {
  /**
   * When a commit reaches the disk: `FULL` (default) before the call returns, `OFF` when the operating system decides.
   */
  readonly synchronous?: 'FULL' | 'OFF';
  /** Maximum wait for a lock of another process, milliseconds. */
  readonly busyMs?: number;
}

/**
 * Opens a file that `inspectFile` accepted, creating or migrating it.
 *
 * @throws StoreError if it cannot be used now
 * @throws Error if a newer hubwatch wrote it
 */
export const openConnection = (
  path: string,
  meter?: StoreMeter,
  { synchronous = 'FULL', busyMs = shortBusyMs }: OpenOptions = {},
): StoreConnection => {
  const connection = new StoreConnection(path, meter);
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = ${synchronous}`);
    if (valueOf(connection, 'journal_mode') !== 'wal') {
      // The application id first: it must be in the file itself, regardless of the log.
      connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA journal_mode = WAL`);
    }
    if (path !== ':memory:' && (statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600);
    migrate(connection);
    return connection;
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') connection.retire();
    else connection.close();
    throw error;
  }
};

/** Name under which SQLite reads a file without locks and without companions. Nothing may write to it meanwhile. */
export const immutableUri = (path: string): string =>
  `file:${encodeURI(path).replaceAll('?', '%3f').replaceAll('#', '%23')}?immutable=1`;

const valueOf = (connection: StoreConnection, pragma: string): unknown =>
  connection.all(`PRAGMA ${pragma}`)[0]?.[pragma];

/** Whether a database is a store of hubwatch. The first versions did not mark their files. */
export const isStore = (connection: StoreConnection): boolean => {
  const mark = valueOf(connection, 'application_id');
  return mark === applicationId || (mark === 0 && hasFirstTable(connection));
};

const hasFirstTable = (connection: StoreConnection): boolean =>
  connection.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'heartbeats'").length > 0;

/** Whether a file has the schema of this version. */
export const isCurrent = (connection: StoreConnection): boolean => versionOf(connection) === migrations.length;

/** Schema version of a file: the number of applied migrations. */
export const versionOf = (connection: StoreConnection): number => Number(valueOf(connection, 'user_version'));

const migrate = (connection: StoreConnection): void => {
  const version = versionOf(connection);
  if (version > migrations.length) {
    throw new Error(
      `store.path: ${connection.path} was written by a newer hubwatch (version ${version} of the file, this one knows ${migrations.length}); install that version or set another path`,
    );
  }
  for (const [index, step] of migrations.entries()) {
    if (index < version) continue;
    connection.transaction(() => connection.exec(`${step}; PRAGMA user_version = ${index + 1}`));
  }
  if (valueOf(connection, 'application_id') !== applicationId)
    connection.exec(`PRAGMA application_id = ${applicationId}`);
  // Tables that exist only in the log would be lost with it.
  if (version < migrations.length) connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
};

/** Damage that SQLite reports for a file or a table; `undefined` if there is none. */
export const damageOf = (connection: StoreConnection, table?: string): string | undefined => {
  try {
    const argument = table === undefined ? '1' : `'${table}'`;
    const found = connection.all(`PRAGMA quick_check(${argument})`)[0]?.['quick_check'];
    return found === 'ok' ? undefined : String(found);
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') return error.message;
    throw error;
  }
};

/** All problems that SQLite reports for a file, including its indexes; empty if there are none. Reads the whole file. */
export const damagesOf = (connection: StoreConnection): readonly string[] => {
  try {
    const found = connection.all('PRAGMA integrity_check').map((row) => String(row['integrity_check']));
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') return [error.message];
    throw error;
  }
};

/** Unused path for a store that is replaced, formed with the reason and the date. */
export const asidePath = (path: string, reason: string, nowMs: number): string => {
  const date = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const free = (name: string, no = 1): string => {
    const numbered = no === 1 ? name : `${name}-${no}`;
    return existsSync(numbered) ? free(name, no + 1) : numbered;
  };
  return free(`${path}.${reason}-${date}Z`);
};

/** Renames an unusable store, adding the reason and the date, and returns its new path. Nothing is deleted. */
export const moveAside = (path: string, reason: string, nowMs: number): string => {
  const aside = asidePath(path, reason, nowMs);
  renameSync(path, aside);
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`);
  rmSync(`${path}-shm`, { force: true });
  return aside;
};

/** Explains to a command line user why a store cannot be opened. */
export const cannotOpen = (path: string, error: unknown): Error =>
  new Error(
    `store.path: ${path} cannot be opened: ${(error as Error).message}; its folder (${dirname(path)}) must exist and be writable for this user`,
    { cause: error },
  );

import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { StoreConnection } from './connection.js';
import { StoreError } from './store-error.js';
import { damagesOf, immutableUri, versionOf } from './store-file.js';
import { syncFile } from './sync-file.js';

/** A checked copy of a store. */
export interface StoreCopy {
  readonly bytes: number;
  /** Schema version. */
  readonly version: number;
}

/** How long a command waits for a lock that a committing daemon or another command holds, milliseconds. */
export const patientMs = 2_000;

/**
 * Opens a store or a backup for reading, without migration. A file without a log is opened without locks, because a backup may
 * be on a read-only medium.
 *
 * @param isLive whether a daemon may open the file meanwhile
 */
export function openToRead(path: string, { isLive }: { readonly isLive: boolean }): StoreConnection {
  const isImmutable = !isLive && !existsSync(`${path}-wal`);
  const connection = new StoreConnection(path, undefined, isImmutable ? immutableUri(path) : path);
  connection.exec(`PRAGMA busy_timeout = ${patientMs}`);
  return connection;
}

/**
 * Writes a consistent snapshot of an open store to a new file that only its owner can read, and checks that file. Other
 * processes may write to the store meanwhile.
 *
 * @throws Error with the reason; then no file is left
 */
export async function copyStore(source: StoreConnection, path: string): Promise<StoreCopy> {
  closeSync(openSync(path, 'wx', 0o600));
  try {
    // Not prepared: a prepared statement would keep the source open until garbage collection.
    source.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
    await syncFile(path);
    return checkCopy(path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function checkCopy(path: string): StoreCopy {
  const copy = new StoreConnection(path, undefined, immutableUri(path));
  try {
    const [damage] = damagesOf(copy);
    if (damage !== undefined) throw new StoreError('damaged', `the copy has errors: ${damage}`);
    return { bytes: statSync(path).size, version: versionOf(copy) };
  } finally {
    copy.close();
  }
}

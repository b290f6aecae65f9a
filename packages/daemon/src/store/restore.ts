import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreConnection } from './connection.js';
import { chainOf } from './keep-store.js';
import { lockFile, lockIdentity, lockStore, wasLocked } from './lock.js';
import { migrations } from './migrations.js';
import { realPathOf } from './real-path.js';
import { copyStore, openToRead, patientMs } from './store-copy.js';
import { StoreError } from './store-error.js';
import { asidePath, damagesOf, inspectFile, isStore, versionOf } from './store-file.js';
import { syncFolderOf } from './sync-file.js';

export interface RestoreOptions {
  /** Chain of the configuration; a backup of another chain is refused. */
  readonly chainId: string | undefined;
  readonly nowMs: number;
}

export interface Restored {
  /** Schema version of the backup. */
  readonly version: number;
  readonly bytes: number;
  /** Path of the replaced store; `undefined` if there was none. */
  readonly replaced: string | undefined;
}

/**
 * Replaces a store with a backup. At every moment the path leads to either the complete old store or the complete new one.
 *
 * @throws Error with the reason and the remedy, for example that a daemon uses the store; then nothing was changed
 */
export async function restoreStore(store: string, backup: string, options: RestoreOptions): Promise<Restored> {
  const path = realPathOf(store);
  refuseSource(path, backup);
  const owner = ownerOf(path);
  const wasThere = inspectFile(path, wasLocked(path)) !== 'absent';
  const unlock = await lockStore(path);
  try {
    give(lockFile(path), owner);
    const partial = `${path}.${process.pid}.partial`;
    try {
      const copy = await readBackup(backup, partial, options);
      give(partial, owner);
      const replaced = await exchange(path, partial, wasThere, options.nowMs);
      return { ...copy, replaced };
    } finally {
      rmSync(partial, { force: true });
    }
  } finally {
    // Locking creates the file if it does not exist.
    if (!wasThere && statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path);
    unlock();
  }
}

function refuseSource(path: string, backup: string): void {
  const stat = statSync(backup, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${backup}: there is no such file`);
  if (!stat.isFile()) throw new Error(`${backup}: is not a regular file; expected a backup of a store`);
  if (realPathOf(backup) === path) throw new Error(`${backup}: is the store itself; give the path of a backup`);
}

/** Checks a backup and copies it, including the content of its log. */
async function readBackup(backup: string, target: string, { chainId }: RestoreOptions) {
  const source = openToRead(backup, { isLive: false });
  try {
    refuseContent(source, backup, chainId);
    return await copyStore(source, target);
  } catch (error) {
    if (error instanceof StoreError) throw new Error(`${backup}: not restored: ${error.message}`, { cause: error });
    throw error;
  } finally {
    source.close();
  }
}

function refuseContent(source: StoreConnection, backup: string, chainId: string | undefined): void {
  if (!isStore(source)) throw new Error(`${backup}: is not a store of hubwatch`);
  const [damage] = damagesOf(source);
  if (damage !== undefined) throw new StoreError('damaged', damage);
  const version = versionOf(source);
  if (version > migrations.length)
    throw new Error(
      `${backup}: was written by a newer hubwatch (schema version ${version}, this one knows ${migrations.length}); install that version to restore it`,
    );
  const chain = version === 0 ? undefined : chainOf(source);
  if (chain !== undefined && chainId !== undefined && chain !== chainId)
    throw new Error(`${backup}: is the store of chain ${chain}, but network.chain_id is ${chainId}`);
}

/** Moves the new file to the path; the old file is kept under another name. */
async function exchange(path: string, fresh: string, wasThere: boolean, nowMs: number): Promise<string | undefined> {
  const replaced = wasThere ? asidePath(path, 'before-restore', nowMs) : undefined;
  if (replaced !== undefined) {
    settleLog(path, replaced);
    linkSync(path, replaced);
  }
  const unlock = await lockIdentity(fresh);
  renameSync(fresh, path);
  await syncFolderOf(path);
  unlock();
  return replaced;
}

/**
 * Merges the log of the old store into its file, because SQLite would otherwise apply it to the new one. The log of a damaged
 * store is renamed together with that store.
 */
function settleLog(path: string, replaced: string): void {
  try {
    const old = new StoreConnection(path);
    try {
      old.exec(`PRAGMA busy_timeout = ${patientMs}; PRAGMA journal_mode = DELETE`);
    } finally {
      old.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.kind === 'locked')
      throw new Error(`store.path: ${path} is open in another process; end it, then restore again`, { cause: error });
  }
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${replaced}-wal`);
  rmSync(`${path}-shm`, { force: true });
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Owner of a store; if it does not exist, owner of its folder. */
function ownerOf(path: string): Owner | undefined {
  return statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path), { throwIfNoEntry: false });
}

/** Root may restore on behalf of the daemon's user, who must be able to write to the resulting files. */
function give(path: string, owner: Owner | undefined): void {
  if (process.getuid?.() !== 0 || owner === undefined || !existsSync(path)) return;
  chownSync(path, owner.uid, owner.gid);
}

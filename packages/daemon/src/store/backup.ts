import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { lockFile } from './lock.js';
import { realPathOf } from './real-path.js';
import { copyStore, openToRead, type StoreCopy } from './store-copy.js';
import { inspectFile } from './store-file.js';
import { syncFolderOf } from './sync-file.js';

export interface BackupOptions {
  /** Overwrite an existing file. */
  readonly isForced?: boolean;
}

/**
 * Writes a backup of a store that a daemon may be using. The file appears under its name only when it is complete and checked.
 *
 * @throws Error that names the file at fault and the remedy
 */
export async function backupStore(
  store: string,
  out: string,
  { isForced = false }: BackupOptions = {},
): Promise<StoreCopy> {
  const path = realPathOf(store);
  if (inspectFile(path, false) === 'damaged')
    throw new Error(`store.path: ${path} is damaged; see hubwatch check-store`);
  refuseTarget(path, out, isForced);
  const partial = `${out}.${process.pid}.partial`;
  const source = openToRead(path, { isLive: true });
  try {
    const copy = await copyStore(source, partial);
    refuseTarget(path, out, isForced);
    renameSync(partial, out);
    await syncFolderOf(out);
    return copy;
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`no backup was written to ${out}: ${(error as Error).message}`, { cause: error });
  } finally {
    source.close();
  }
}

function refuseTarget(path: string, out: string, isForced: boolean): void {
  const folder = dirname(out);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`--out: the folder ${folder} does not exist`);
  const stat = statSync(out, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) throw new Error(`--out: ${out} is a folder; expected the path of a file in it`);
  const ofStore = [path, `${path}-wal`, `${path}-shm`, lockFile(path)];
  if (ofStore.includes(realPathOf(out)))
    throw new Error(`--out: ${basename(out)} belongs to the store itself; give the path of another file`);
  if (stat !== undefined && !stat.isFile()) throw new Error(`--out: ${out} is not a regular file`);
  if (existsSync(out) && !isForced)
    throw new Error(`--out: ${out} exists; give another name, or --force to replace it`);
}

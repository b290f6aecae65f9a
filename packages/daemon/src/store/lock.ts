import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { StoreConnection } from './connection.js';
import { StoreError } from './store-error.js';

/** Releases a lock. */
export type Unlock = () => void;

/** The file that marks a path as the store of a daemon. */
export const lockFile = (path: string): string => `${path}.lock`;

/** Whether a daemon had its store at this path, judged by the lock file. */
export const wasLocked = (path: string): boolean => existsSync(lockFile(path));

/**
 * Prevents other daemons from using the store: two on one file would send each notice twice. Uses two operating system
 * locks that end with the process. One is on the identity of the file itself, so that a symbolic link, a hard link or a
 * removed lock file does not bypass it. The other is on a file next to the store, for daemons in containers that share
 * the file but no network (ADR 28).
 *
 * @param path with all links resolved; a missing file is created, so that there is a file to lock
 * @throws Error with the remedy
 */
export const lockStore = async (path: string): Promise<Unlock> => {
  const unlockFile = lockBeside(path);
  try {
    const unlockIdentity = await lockIdentity(path);
    return () => {
      unlockIdentity();
      unlockFile();
    };
  } catch (error) {
    unlockFile();
    throw error;
  }
};

const inUse = (path: string, cause: unknown): Error =>
  new Error(`store.path: ${path} is in use by another hubwatch; stop that one, or set another path`, { cause });

/**
 * A name in the abstract socket namespace belongs to one process at a time, and other processes cannot remove it.
 * Systems without it, and sandboxes that forbid sockets of this family, use the lock file alone.
 */
export const lockIdentity = async (path: string): Promise<Unlock> => {
  if (process.platform !== 'linux') return () => undefined;
  const name = identityOf(path);
  if (name === undefined) return () => undefined;
  const server = createServer((socket) => socket.destroy());
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen({ path: `\0hubwatch store ${name}` }, () => resolve(undefined));
  });
  if (failure?.code === 'EADDRINUSE') throw inUse(path, failure);
  if (failure !== undefined) return () => undefined;
  server.unref();
  return () => void server.close();
};

const identityOf = (path: string): string | undefined => {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // A file that cannot be written may still exist and be lockable.
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
};

/**
 * Locks the file next to the store. On a full or read-only disk it cannot be created; the lock on the identity of the
 * store remains.
 */
const lockBeside = (path: string): Unlock => {
  let lock: StoreConnection | undefined;
  try {
    lock = new StoreConnection(lockFile(path));
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    if (!(error instanceof StoreError)) throw error;
    if (error.kind === 'locked') throw inUse(path, error);
    if (existsSync(dirname(path)) && (error.kind === 'full' || error.kind === 'readonly' || existsSync(path)))
      return () => undefined;
    throw new Error(
      `store.path: ${path} cannot be used: ${error.message}; its folder must exist and be writable for this user`,
      { cause: error },
    );
  }
};

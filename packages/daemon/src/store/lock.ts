import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { StoreConnection } from './connection.js';
import { StoreError } from './store-error.js';

/** Releases a lock. */
export type Unlock = () => void;

/** The file that says that a daemon had its store at a path. */
export const lockFile = (path: string): string => `${path}.lock`;

/** Whether a daemon had its store at this path, as far as its lock file tells. */
export const wasLocked = (path: string): boolean => existsSync(lockFile(path));

/**
 * Keeps every other daemon off a store: two on one file would send each notice twice. Two locks of the operating system
 * that go with the process, however that ends: one on the identity of the file itself, so that a symbolic link, a hard
 * link or a removed lock file does not lead around it, and one on a file beside it, for daemons in containers that share
 * the file but no network (ADR 28).
 *
 * @param path with all links resolved; a file that is not there is created, so that there is something to lock
 * @throws Error with what to do
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
 * A name in the abstract namespace of sockets belongs to one process at a time and cannot be removed by another. Systems
 * without it, and sandboxes that forbid sockets of this family, have the lock file alone.
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
    // A file that cannot be written may still be there to be locked.
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
};

/** A full or read-only disk has no room for a lock file; the lock on the identity of the store remains. */
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

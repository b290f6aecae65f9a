import { statSync } from 'node:fs';
import type { Config } from '../config/schema.js';
import { checkChain } from '../store/keep-store.js';
import { openStore, type Store } from '../store/store.js';

/**
 * Runs `work` with the store of a daemon, running or not, and closes the store; if `work` returns a promise, after it
 * is settled.
 *
 * @throws Error if there is no file, unless `creates` is set: creating an empty file would hide a wrong path
 */
export const withStore = <T>(
  { store: { path }, network }: Pick<Config, 'store' | 'network'>,
  work: (store: Store) => T,
  { creates = false } = {},
): T => {
  if (!creates) requireStore(path);
  const store = openStore(path);
  let result: T | undefined;
  try {
    checkChain(store, network.chain_id);
    result = work(store);
  } finally {
    if (!(result instanceof Promise)) store.close();
  }
  return result instanceof Promise ? (result.finally(() => store.close()) as T) : result;
};

/** @throws Error with what to do when there is no store at a path */
export const requireStore = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  throw new Error(`store.path: ${path} does not exist; the daemon makes it when it first runs with this configuration`);
};

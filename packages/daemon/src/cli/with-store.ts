import { statSync } from 'node:fs';
import type { Config } from '../config/schema.js';
import { checkChain } from '../store/keep-store.js';
import { openStore, type Store } from '../store/store.js';

/**
 * Does something with the store of a daemon, whether that runs or not, and closes it; of a promise, when it is settled.
 *
 * @throws Error when there is no file, unless `creates` is set: a command that makes an empty one would hide that its path is wrong
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

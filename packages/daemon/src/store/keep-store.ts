import { readFact, writeFact } from './facts.js';
import { FileStore } from './file-store.js';
import type { KeepStoreParts, KeptStore } from './kept-store.js';
import { lockStore, wasLocked } from './lock.js';
import { realPathOf } from './real-path.js';
import type { Store } from './store.js';
import { StoreError } from './store-error.js';
import { type FileState, inspectFile, openConnection } from './store-file.js';

/**
 * Opens the store of the daemon and keeps it usable whatever becomes of the file. A file that is damaged is moved aside
 * and written new from what can be read of it.
 *
 * @throws Error with what to do when another daemon uses the file, when it belongs to another chain or another program,
 * or when its folder cannot be used
 */
export const keepStore = async (parts: KeepStoreParts): Promise<KeptStore> => {
  if (parts.path === ':memory:') return inMemory();
  const path = realPathOf(parts.path);
  const state = startState(path);
  const unlock = await lockStore(path);
  const store = new FileStore(parts, path, unlock);
  try {
    await store.open(state);
    // A fault that was found meanwhile has everything copied to memory first.
    await store.settled();
    bindChain(store, parts);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
};

const inMemory = (): KeptStore => {
  const connection = openConnection(':memory:');
  return {
    path: ':memory:',
    run: (sql, ...values) => connection.run(sql, ...values),
    all: (sql, ...values) => connection.all(sql, ...values),
    transaction: (work) => connection.transaction(work),
    bytes: () => 0,
    close: () => Promise.resolve(connection.close()),
    fault: () => undefined,
    rebuilt: () => undefined,
    isRefilling: () => false,
    refilled: () => undefined,
    settled: () => Promise.resolve(),
  };
};

const startState = (path: string): FileState => {
  try {
    return inspectFile(path, wasLocked(path));
  } catch (error) {
    // It is there and cannot be read now; opening it finds out why.
    if (error instanceof StoreError) return 'store';
    throw error;
  }
};

const chainFact = 'chain_id';

/** Chain that a store belongs to; `undefined` when no start had a chain configured. */
export const chainOf = (store: Pick<Store, 'all'>): string | undefined => readFact(store, chainFact);

/** @throws Error with what to do when the store belongs to another chain than the configuration */
export const checkChain = (store: Pick<Store, 'all' | 'path'>, chainId: string | undefined): void => {
  const kept = chainOf(store);
  if (kept === undefined || chainId === undefined || kept === chainId) return;
  throw new Error(
    `store.path: ${store.path} belongs to chain ${kept}, but network.chain_id is ${chainId}; set another store.path for this chain, or move the file away`,
  );
};

const bindChain = (store: KeptStore, { chainId }: KeepStoreParts): void => {
  checkChain(store, chainId);
  if (chainId !== undefined && chainOf(store) === undefined) writeFact(store, chainFact, chainId);
};

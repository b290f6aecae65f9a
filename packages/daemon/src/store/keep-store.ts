import { readFact, writeFact } from './facts.js';
import { FileStore } from './file-store.js';
import type { KeepStoreParts, KeptStore } from './kept-store.js';
import { lockStore, wasLocked } from './lock.js';
import { realPathOf } from './real-path.js';
import type { Store } from './store.js';
import { StoreError } from './store-error.js';
import { type FileState, inspectFile, openConnection } from './store-file.js';

/**
 * Opens the daemon's store and keeps it usable regardless of failures of the file. A damaged file is moved aside, and a
 * new one is written with its readable data.
 *
 * @throws Error with the remedy if another daemon uses the file, if it belongs to another chain or another program, or
 * if its folder cannot be used
 */
export const keepStore = async (parts: KeepStoreParts): Promise<KeptStore> => {
  if (parts.path === ':memory:') return inMemory();
  const path = realPathOf(parts.path);
  const state = startState(path);
  const unlock = await lockStore(path);
  const store = new FileStore(parts, path, unlock);
  try {
    await store.open(state);
    // After a fault found meanwhile, all data are copied to memory first.
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
    // The file exists but cannot be read now; opening it determines the reason.
    if (error instanceof StoreError) return 'store';
    throw error;
  }
};

const chainFact = 'chain_id';

/** Chain that a store belongs to; `undefined` if no start had a configured chain. */
export const chainOf = (store: Pick<Store, 'all'>): string | undefined => readFact(store, chainFact);

/** @throws Error with the remedy if the store belongs to a chain other than the configured one */
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

import { type StoreConnection, storeBytes, type Row, type StoreMeter, type Value } from './connection.js';
import { StoreError } from './store-error.js';
import { cannotOpen, inspectFile, openConnection } from './store-file.js';

export type { Row, StoreMeter, Value };

/**
 * The daemon's only database file. Every commit is on disk before the call returns. A failure of the file is a
 * `StoreError`.
 */
export interface Store {
  readonly path: string;
  run(sql: string, ...values: Value[]): void;
  all(sql: string, ...values: Value[]): readonly Row[];
  /** Commits all writes of `work`, or none. May be nested: the outermost commits. */
  transaction<T>(work: () => T): T;
  /** Size on disk, including the write-ahead log. */
  bytes(): number;
  close(): void;
}

/**
 * Opens only the file, creating or migrating it: for commands and for a single round in memory. The daemon uses
 * `keepStore`, which survives a failure of the file.
 *
 * @throws Error that names the file and the remedy
 */
export const openStore = (path: string, meter?: StoreMeter): Store => {
  const connection = openFile(path, meter);
  return {
    path,
    run: (sql, ...values) => connection.run(sql, ...values),
    all: (sql, ...values) => connection.all(sql, ...values),
    transaction: (work) => connection.transaction(work),
    bytes: () => storeBytes(path),
    close: () => connection.close(),
  };
};

/** A command can wait while the daemon commits. */
const patientMs = 2_000;

const openFile = (path: string, meter: StoreMeter | undefined): StoreConnection => {
  try {
    if (path !== ':memory:' && inspectFile(path, false) === 'damaged')
      throw new Error(`store.path: ${path} is damaged; a start of the daemon moves it aside and writes a new one`);
    return openConnection(path, meter, { busyMs: patientMs });
  } catch (error) {
    if (error instanceof StoreError || (error as NodeJS.ErrnoException).code !== undefined)
      throw cannotOpen(path, error);
    throw error;
  }
};

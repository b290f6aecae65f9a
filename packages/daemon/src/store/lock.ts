import Libsql from 'libsql';

/**
 * Keeps every other daemon off a store: two on one file would send each notice twice. The lock is one of the operating
 * system on a file beside the store, so that it goes with the process, however that ends. @throws Error with what to do.
 */
export const lockStore = (path: string): (() => void) => {
  const lock = `${path}.lock`;
  let db: Libsql.Database;
  try {
    db = new Libsql(lock);
  } catch (error) {
    throw new Error(
      `store.path: ${path} cannot be used: ${(error as Error).message}; its folder must exist and be writable for this user`,
      { cause: error },
    );
  }
  try {
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw new Error(
      `store.path: ${path} is in use by another hubwatch; stop that one, or set another path: ${(error as Error).message}`,
      { cause: error },
    );
  }
  return () => {
    db.close();
  };
};

import type { Store } from './store.js';

/** A single value stored under a name; `undefined` if there is none. */
export const readFact = (store: Pick<Store, 'all'>, name: string): string | undefined => {
  const [row] = store.all('SELECT value FROM facts WHERE name = ?', name);
  return row === undefined ? undefined : String(row['value']);
};

export const writeFact = (store: Pick<Store, 'run'>, name: string, value: string): void =>
  store.run('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)', name, value);

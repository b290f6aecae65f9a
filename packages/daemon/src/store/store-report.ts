import { statSync } from 'node:fs';
import { type StoreConnection, storeBytes } from './connection.js';
import { chainOf } from './keep-store.js';
import { migrations } from './migrations.js';
import { realPathOf } from './real-path.js';
import { openToRead } from './store-copy.js';
import { StoreError } from './store-error.js';
import { damagesOf, isStore, versionOf } from './store-file.js';
import { tablesOf } from './table-copy.js';

export interface TableReport {
  readonly name: string;
  readonly rows: number;
  /** Bytes of its pages, including indexes. */
  readonly bytes: number;
}

export interface StoreReport {
  readonly path: string;
  /** Problems that were found; empty if this hubwatch can use the file. */
  readonly faults: readonly string[];
  /** Schema version; `undefined` if the file cannot be read. */
  readonly version: number | undefined;
  readonly chain: string | undefined;
  /** Size on disk, including the write-ahead log. */
  readonly bytes: number;
  /** Bytes of unused pages in the file, which SQLite will reuse. */
  readonly freeBytes: number;
  readonly tables: readonly TableReport[];
}

/** Maximum number of reported faults; damage to one page may cause thousands. */
const mostFaults = 20;

/**
 * Checks a backup, or a store that a daemon may be using. Nothing is written or migrated.
 *
 * @throws Error if the file does not exist
 */
export function reportStore(file: string, { isLive }: { readonly isLive: boolean }): StoreReport {
  const path = realPathOf(file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${path}: there is no such file`);
  if (!stat.isFile()) throw new Error(`${path}: is not a regular file; expected a store`);
  const empty = { path, version: undefined, chain: undefined, bytes: storeBytes(path), freeBytes: 0, tables: [] };
  try {
    const connection = openToRead(path, { isLive });
    try {
      return { ...empty, ...contentOf(connection) };
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...empty, faults: [error.message] };
  }
}

function contentOf(connection: StoreConnection) {
  if (!isStore(connection)) return { faults: ['is not a store of hubwatch'] };
  const version = versionOf(connection);
  const damages = damagesOf(connection);
  const isNewer = version > migrations.length;
  const faults = [
    ...(isNewer
      ? [`was written by a newer hubwatch (schema version ${version}, this one knows ${migrations.length})`]
      : []),
    ...damages.slice(0, mostFaults),
    ...(damages.length > mostFaults ? [`and ${damages.length - mostFaults} more`] : []),
  ];
  // Counts from a damaged file are unreliable.
  if (damages.length > 0) return { faults, version };
  const page = Number(connection.all('PRAGMA page_size')[0]?.['page_size']);
  const free = Number(connection.all('PRAGMA freelist_count')[0]?.['freelist_count']);
  const chain = version === 0 ? undefined : chainOf(connection);
  return { faults, version, chain, freeBytes: page * free, tables: reportTables(connection) };
}

function reportTables(connection: StoreConnection): readonly TableReport[] {
  const bytes = new Map(
    connection
      .all(
        `SELECT tbl_name, SUM(pgsize) AS bytes FROM dbstat JOIN sqlite_master USING (name)
         WHERE aggregate = TRUE GROUP BY tbl_name`,
      )
      .map((row) => [String(row['tbl_name']), Number(row['bytes'])]),
  );
  return tablesOf(connection).map(({ name }) => ({
    name,
    rows: Number(connection.all(`SELECT COUNT(*) AS rows FROM "${name}"`)[0]?.['rows']),
    bytes: bytes.get(name) ?? 0,
  }));
}

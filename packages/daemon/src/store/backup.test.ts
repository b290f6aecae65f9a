import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { backupStore } from './backup.js';
import { lockStore } from './lock.js';
import { migrations } from './migrations.js';
import { restoreStore } from './restore.js';
import { openStore } from './store.js';
import { immutableUri } from './store-file.js';
import { reportStore } from './store-report.js';

const nowMs = Date.UTC(2026, 10, 29, 12, 0, 0);
const anyChain = { chainId: undefined, nowMs };

interface Place {
  readonly folder: string;
  readonly path: string;
  readonly out: string;
}

function place(): Place {
  const folder = temporaryFolder();
  return { folder, path: join(folder, 'hubwatch.db'), out: join(folder, 'backup.db') };
}

const applicationId = 0x68_75_62_77;

/**
 * Creates a store of the given version without prepared statements, which would keep the file open until garbage collection.
 */
function create(path: string, version = migrations.length, mark = applicationId): void {
  const db = new Libsql(path);
  db.exec(`PRAGMA application_id = ${mark}; PRAGMA journal_mode = WAL`);
  for (const step of migrations.slice(0, version)) db.exec(step);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
}

function put(path: string, name: string, value = 'v'): void {
  if (!existsSync(path)) create(path);
  const db = new Libsql(path);
  db.exec(`INSERT OR REPLACE INTO facts VALUES ('${name}', '${value}')`);
  db.close();
}

/** Reads the names of the facts in a store from a copy. */
function facts(path: string): readonly string[] {
  const copy = join(temporaryFolder(), 'copy.db');
  for (const end of ['', '-wal']) if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
  const store = openStore(copy);
  const names = store.all('SELECT name FROM facts ORDER BY name').map(({ name }) => String(name));
  store.close();
  return names;
}

/** Starts a process that adds the same row to two tables per transaction, until the test ends. */
async function startWriter(path: string, word = 'row'): Promise<() => Promise<void>> {
  const source = `
    const db = new (require('libsql'))(process.argv[1]);
    db.exec('PRAGMA busy_timeout = 10000');
    let no = 0;
    const write = () => {
      db.exec('BEGIN IMMEDIATE');
      db.prepare('INSERT INTO facts VALUES (?, ?)').run(process.argv[2] + ' ' + no, 'x'.repeat(500));
      db.prepare('INSERT INTO ledger_gaps VALUES (?, ?, ?, 1)').run(no, no, 'by the test');
      db.exec('COMMIT');
      no += 1;
      if (no === 200) process.stdout.write('written');
      setImmediate(write);
    };
    write();`;
  const child = spawn(process.execPath, ['-e', source, path, word], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(stop);
  await once(child.stdout, 'data');
  return stop;
}

test('backup: while another process writes, each copy contains every transaction completely or not at all', async () => {
  const { folder, path } = place();
  put(path, 'before');
  const stop = await startWriter(path);
  const counts: number[] = [];
  for (let no = 0; no < 5; no += 1) {
    const out = join(folder, `copy ${no}.db`);
    await backupStore(path, out);
    const copy = new Libsql(out);
    const [facts, gaps] = ['facts', 'ledger_gaps'].map(
      (table) => (copy.prepare(`SELECT COUNT(*) AS rows FROM ${table}`).get() as { rows: number }).rows,
    );
    copy.close();
    expect(facts).toBe((gaps ?? 0) + 1);
    counts.push(gaps ?? 0);
  }
  await stop();
  expect(counts[0]).toBeGreaterThan(100);
  expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? 0);
});

test('backup: is private, has its version and mark, and leaves no other files behind', async () => {
  const { folder, path, out } = place();
  put(path, 'kept');
  const copy = await backupStore(path, out);
  expect(copy).toEqual({ bytes: statSync(out).size, version: migrations.length });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
  expect(reportStore(out, { isLive: false })).toMatchObject({ faults: [], version: migrations.length });
  expect(facts(out)).toEqual(['kept']);
});

test('backup: overwrites a file only with --force, and never the store or its companion files', async () => {
  const { folder, path, out } = place();
  put(path, 'kept');
  writeFileSync(out, 'mine');
  await expect(backupStore(path, out)).rejects.toThrow('exists; give another name, or --force to replace it');
  expect(readFileSync(out, 'utf8')).toBe('mine');
  await backupStore(path, out, { isForced: true });
  expect(facts(out)).toEqual(['kept']);
  symlinkSync(path, join(folder, 'link.db'));
  for (const own of [path, `${path}-wal`, `${path}.lock`, join(folder, 'link.db')])
    await expect(backupStore(path, own, { isForced: true }), own).rejects.toThrow('belongs to the store itself');
  await expect(backupStore(path, folder)).rejects.toThrow('is a folder; expected the path of a file in it');
  await expect(backupStore(path, join(folder, 'absent', 'x'))).rejects.toThrow('does not exist');
});

/** Overwrites the first page of a table. */
function damage(path: string, table: string): void {
  const db = new Libsql(path);
  db.exec('PRAGMA journal_mode = DELETE');
  db.close();
  const copy = new Libsql(immutableUri(path));
  const [{ rootpage }] = copy.prepare(`SELECT rootpage FROM sqlite_master WHERE name = '${table}'`).all() as [
    { rootpage: number },
  ];
  copy.close();
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(4_096), 0, 4_096, (rootpage - 1) * 4_096);
  closeSync(file);
}

test('backup: fails with a message for a damaged store, and leaves no file', async () => {
  const { folder, path, out } = place();
  put(path, 'kept');
  damage(path, 'facts');
  await expect(backupStore(path, out)).rejects.toThrow(/no backup was written to .*the store is damaged/);
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
  expect(reportStore(path, { isLive: true }).faults).not.toEqual([]);
});

test('restore: restores the backup and keeps the replaced store including its log; both can be opened', async () => {
  const { path, out } = place();
  put(path, 'early');
  await backupStore(path, out);
  put(path, 'late');
  const { replaced, version } = await restoreStore(path, out, anyChain);
  expect(replaced).toBe(`${path}.before-restore-2026-11-29T12-00-00Z`);
  expect(version).toBe(migrations.length);
  expect(facts(path)).toEqual(['early']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(facts(replaced ?? '')).toEqual(['early', 'late']);
});

test('restore: applies the log of a killed process, both for the replaced store and for the backup', async () => {
  const { path, out } = place();
  put(path, 'early');
  await backupStore(path, out);
  await (await startWriter(path))();
  expect(existsSync(`${path}-wal`)).toBe(true);
  const { replaced = '' } = await restoreStore(path, out, anyChain);
  expect(facts(path)).toEqual(['early']);
  expect(facts(replaced).length).toBeGreaterThan(100);
  // A store together with its log is also a valid backup.
  const opened = new Libsql(out);
  opened.exec('PRAGMA journal_mode = WAL');
  opened.close();
  await (await startWriter(out, 'of the backup'))();
  expect(existsSync(`${out}-wal`)).toBe(true);
  const again = await restoreStore(path, out, anyChain);
  expect(again.replaced).toBe(`${path}.before-restore-2026-11-29T12-00-00Z-2`);
  expect(facts(path)).toContain('of the backup 0');
});

test('restore: works without an existing store, and over a damaged one', async () => {
  const { folder, path, out } = place();
  put(path, 'kept');
  await backupStore(path, out);
  const fresh = join(folder, 'fresh.db');
  expect(await restoreStore(fresh, out, anyChain)).toMatchObject({ replaced: undefined });
  expect(facts(fresh)).toEqual(['kept']);
  writeFileSync(path, 'CREATE TABLE heartbeats: noise '.repeat(300));
  const { replaced } = await restoreStore(path, out, anyChain);
  expect(readFileSync(replaced ?? '', 'utf8')).toMatch(/noise/);
  expect(facts(path)).toEqual(['kept']);
});

test('restore: is refused while a daemon or another command uses the store, and changes nothing', async () => {
  const { folder, path, out } = place();
  put(path, 'early');
  await backupStore(path, out);
  put(path, 'late');
  const unlock = await lockStore(path);
  await expect(restoreStore(path, out, anyChain)).rejects.toThrow('is in use by another hubwatch; stop that one');
  unlock();
  const stop = await startWriter(path);
  await expect(restoreStore(path, out, anyChain)).rejects.toThrow('is open in another process; end it');
  await stop();
  expect(facts(path)).toContain('late');
  expect(readdirSync(folder).filter((name) => /before-restore|partial/.test(name))).toEqual([]);
});

test('restore: refuses files that are not a backup for this store, each with a reason, and changes nothing', async () => {
  const { folder, path, out } = place();
  put(path, 'kept');
  const make = (name: string): string => join(folder, name);
  const newer = new Libsql(make('newer.db'));
  newer.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length + 1}; CREATE TABLE x (y)`,
  );
  newer.close();
  const songs = new Libsql(make('songs.db'));
  songs.exec('CREATE TABLE songs (title TEXT)');
  songs.close();
  writeFileSync(make('letter'), 'dear friend '.repeat(100));
  mkdirSync(make('folder'));
  put(make('other.db'), 'chain_id', 'hub-other');
  await backupStore(path, out);
  damage(out, 'facts');
  for (const [name, reason] of [
    ['absent', 'there is no such file'],
    ['folder', 'is not a regular file'],
    ['letter', 'is damaged'],
    ['songs.db', 'is not a store of hubwatch'],
    ['newer.db', `was written by a newer hubwatch (schema version ${migrations.length + 1}`],
    ['other.db', 'is the store of chain hub-other, but network.chain_id is hub-test'],
    ['backup.db', 'is damaged'],
    ['hubwatch.db', 'is the store itself'],
  ] as const)
    await expect(restoreStore(path, make(name), { chainId: 'hub-test', nowMs }), name).rejects.toThrow(reason);
  expect(facts(path)).toEqual(['kept']);
  expect(readdirSync(folder).filter((name) => /before-restore|partial/.test(name))).toEqual([]);
  await expect(restoreStore(make('new.db'), make('songs.db'), anyChain)).rejects.toThrow('is not a store');
  expect(existsSync(make('new.db'))).toBe(false);
});

test.each([
  ['older', applicationId],
  ['older, unmarked', 0],
])('restore: an %s backup is restored unchanged, and migrated when it is opened', async (_case, mark) => {
  const { path, out } = place();
  create(out, 2, mark);
  put(out, 'old');
  expect(await restoreStore(path, out, anyChain)).toMatchObject({ version: 2 });
  expect(reportStore(path, { isLive: true })).toMatchObject({ version: 2, faults: [] });
  expect(facts(path)).toEqual(['old']);
});

test('store report: reports rows and bytes of each table, including indexes', () => {
  const { path } = place();
  const store = openStore(path);
  store.transaction(() => {
    for (let row = 0; row < 500; row += 1)
      store.run(
        "INSERT INTO ledger (height, position, node, kind, record) VALUES (?, 0, 'n', 'lease_paid', ?)",
        row,
        'x'.repeat(100),
      );
  });
  const { faults, tables, bytes } = reportStore(path, { isLive: true });
  store.close();
  expect(faults).toEqual([]);
  const ledger = tables.find(({ name }) => name === 'ledger');
  expect(ledger).toMatchObject({ rows: 500 });
  // Each record is stored in the table and in an index.
  expect(ledger?.bytes).toBeGreaterThan(2 * 500 * 100);
  expect(ledger?.bytes).toBeLessThan(bytes);
  expect(tables.find(({ name }) => name === 'silences')).toMatchObject({ rows: 0 });
});

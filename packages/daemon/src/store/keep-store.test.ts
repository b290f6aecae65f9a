import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeClock, fakeClock } from '../../test/fake-clock.js';
import { recordingLogger, temporaryFolder } from '../../test/parts.js';
import { turn } from '../turn.js';
import { keepStore } from './keep-store.js';
import type { KeptStore } from './kept-store.js';
import { lockStore } from './lock.js';
import { openStore } from './store.js';

interface Kept {
  readonly store: KeptStore;
  readonly clock: FakeClock;
  readonly changes: (string | undefined)[];
  readonly lines: readonly { readonly msg: string }[];
  /** Longest single database call, seconds. */
  readonly longest: () => number;
  /** Advances time until the store reports a fault of this kind. */
  readonly until: (kind: string | undefined) => Promise<void>;
}

const keep = async (path: string, chainId?: string): Promise<Kept> => {
  const clock = fakeClock();
  const { logger, lines } = recordingLogger();
  const changes: (string | undefined)[] = [];
  let longest = 0;
  const store = await keepStore({
    path,
    chainId,
    clock,
    logger,
    meter: {
      committed: () => undefined,
      failed: () => undefined,
      waited: (seconds) => (longest = Math.max(longest, seconds)),
      rebuilt: () => undefined,
      failing: (kind) => changes.push(kind),
    },
    onChange: () => undefined,
  });
  onTestFinished(() => store.close());
  return {
    store,
    clock,
    changes,
    lines,
    longest: () => longest,
    async until(kind) {
      for (let looks = 0; looks < 12 && store.fault()?.kind !== kind; looks += 1) {
        clock.advance(5_000);
        await store.settled();
        await turn();
      }
      expect(store.fault()?.kind).toBe(kind);
    },
  };
};

const file = (folder: string): string => join(folder, 'hubwatch.db');
const put = (store: Pick<KeptStore, 'run'>, name: string, value = 'v'): void =>
  store.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, value);
const putRows = (store: KeptStore): void =>
  store.transaction(() => {
    for (let row = 0; row < 300; row += 1) put(store, `row ${row}`, 'x'.repeat(100));
  });
const has = (store: Pick<KeptStore, 'all'>, name: string): boolean =>
  store.all('SELECT 1 FROM facts WHERE name = ?', name).length > 0;

test('kept store: a deleted file is detected, rewritten with all its data, and used again', async () => {
  const folder = temporaryFolder();
  const { store, changes, until } = await keep(file(folder));
  put(store, 'before');
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await until('gone');
  put(store, 'meanwhile');
  await until(undefined);
  put(store, 'after');
  expect(changes).toEqual(['gone', undefined]);
  const beside = openStore(file(folder));
  for (const name of ['before', 'meanwhile', 'after']) expect(has(beside, name), name).toBe(true);
  beside.close();
});

test('kept store: a replaced file is moved aside, and so is a store whose log was deleted', async () => {
  const folder = temporaryFolder();
  const { store, until } = await keep(file(folder));
  put(store, 'before');
  writeFileSync(join(folder, 'other'), 'not a store');
  renameSync(join(folder, 'other'), file(folder));
  await until('gone');
  await until(undefined);
  rmSync(`${file(folder)}-wal`);
  put(store, 'lost with the log');
  await until('gone');
  await until(undefined);
  expect(readdirSync(folder).filter((name) => name.includes('.replaced-') && !name.endsWith('-wal'))).toHaveLength(2);
  const beside = openStore(file(folder));
  expect(has(beside, 'before') && has(beside, 'lost with the log')).toBe(true);
  beside.close();
});

test('kept store: a folder deleted together with the store is created again', async () => {
  const folder = join(temporaryFolder(), 'lib', 'hubwatch');
  mkdirSync(folder, { recursive: true });
  const { store, until } = await keep(file(folder));
  put(store, 'before');
  rmSync(folder, { recursive: true });
  await until('gone');
  await until(undefined);
  expect(has(store, 'before') && existsSync(file(folder))).toBe(true);
});

/** Holds a write lock in another process until the returned function is called. */
const holdLock = async (path: string): Promise<() => Promise<void>> => {
  const source = `
    const db = new (require('libsql'))(process.argv[1]);
    db.exec('BEGIN IMMEDIATE');
    process.stdout.write('held');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', source, path], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const release = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(release);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return release;
};

test('kept store: while another process holds a lock all data are stored in memory, and written when the lock is released', async () => {
  const folder = temporaryFolder();
  const { store, clock, until } = await keep(file(folder));
  put(store, 'before');
  const release = await holdLock(file(folder));
  store.transaction(() => put(store, 'meanwhile'));
  expect(has(store, 'before') && has(store, 'meanwhile')).toBe(true);
  expect(store.fault()).toBeUndefined();
  for (let second = 0; second < 20; second += 1) {
    clock.advance(1_000);
    await store.settled();
  }
  expect(store.fault()).toMatchObject({ kind: 'locked', todo: expect.stringContaining('fuser') as unknown });
  await release();
  await until(undefined);
  const beside = openStore(file(folder));
  expect(has(beside, 'meanwhile')).toBe(true);
  beside.close();
});

test('kept store: starts while another process holds a lock', async () => {
  const folder = temporaryFolder();
  const first = await keep(file(folder));
  put(first.store, 'before');
  await first.store.close();
  const release = await holdLock(file(folder));
  const { store, until } = await keep(file(folder), 'hub-test');
  put(store, 'meanwhile');
  expect(has(store, 'before')).toBe(true);
  await until('locked');
  await release();
  await until(undefined);
  expect(has(store, 'before') && has(store, 'meanwhile')).toBe(true);
});

const overwrite = (path: string, at: number, bytes: Uint8Array): void => {
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
};

const damages: Readonly<Record<string, (path: string, size: number) => void>> = {
  'a first page of zeros': (path) => overwrite(path, 0, new Uint8Array(4_096)),
  'a first page of noise': (path) =>
    overwrite(
      path,
      0,
      Uint8Array.from({ length: 4_096 }, (_, at) => (at * 131) & 255),
    ),
  'the first half cut off': (path, size) => truncateSync(path, Math.floor(size / 8_192) * 4_096),
  'a file cut in the middle of a page': (path, size) => truncateSync(path, size - 5_000),
  'a file of one page': (path) => truncateSync(path, 4_096),
  'a file of hundred bytes': (path) => truncateSync(path, 100),
  'pages of zeros in the middle': (path, size) => overwrite(path, 8_192, new Uint8Array(size - 8_192)),
  'noise in the middle': (path, size) =>
    overwrite(
      path,
      12_288,
      Uint8Array.from({ length: size - 16_384 }, (_, at) => (at * 7 + (at >> 8)) & 255),
    ),
  'noise from begin to end': (path, size) =>
    writeFileSync(
      path,
      Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 7)) & 255),
    ),
};

for (const [name, damage] of Object.entries(damages))
  test(`kept store: ${name} at start: moved aside with a date, rewritten and reported`, async () => {
    const folder = temporaryFolder();
    const first = await keep(file(folder), 'hub-test');
    putRows(first.store);
    await first.store.close();
    const beside = openStore(file(folder));
    const size = beside.bytes();
    beside.close();
    damage(file(folder), size);
    const { store, lines } = await keep(file(folder), 'hub-test');
    put(store, 'after');
    expect(store.fault()).toBeUndefined();
    expect(store.rebuilt()).toMatchObject({
      reason: 'damaged',
      movedTo: expect.stringContaining('hubwatch.db.damaged-') as unknown,
    });
    expect(existsSync(store.rebuilt()?.movedTo ?? '')).toBe(true);
    expect(lines.map(({ msg }) => msg)).toContain('store: written new');
  });

test('kept store: the readable part of a damaged file is kept', async () => {
  const folder = temporaryFolder();
  const first = await keep(file(folder));
  first.store.run("INSERT INTO silences VALUES ('s', NULL, NULL, 1, 2, 'kept')");
  putRows(first.store);
  await first.store.close();
  const db = new Libsql(file(folder));
  const [{ rootpage }] = db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'facts'").all() as [
    { rootpage: number },
  ];
  db.close();
  overwrite(file(folder), (rootpage - 1) * 4_096, new Uint8Array(4_096));
  const { store } = await keep(file(folder));
  expect(store.all('SELECT comment FROM silences')).toEqual([{ comment: 'kept' }]);
  expect(store.rebuilt()?.lost).toEqual(['ledger']);
});

test('kept store: damage at runtime is detected; the file is moved aside and rewritten', async () => {
  const folder = temporaryFolder();
  const { store, until } = await keep(file(folder));
  putRows(store);
  store.all('PRAGMA wal_checkpoint(TRUNCATE)');
  overwrite(file(folder), 0, new Uint8Array(4_096));
  await until('damaged');
  await until(undefined);
  put(store, 'after');
  expect(readdirSync(folder).some((name) => name.startsWith('hubwatch.db.damaged-'))).toBe(true);
  expect(has(store, 'row 7') && has(store, 'after')).toBe(true);
});

test('kept store: a file of another program is rejected and unchanged', async () => {
  const folder = temporaryFolder();
  writeFileSync(file(folder), 'letters to a friend '.repeat(100));
  await expect(keep(file(folder))).rejects.toThrow('is not a store of hubwatch (it is not a database); move it away');
  const other = new Libsql(join(folder, 'other.db'));
  other.exec('CREATE TABLE songs (title TEXT)');
  other.close();
  await expect(keep(join(folder, 'other.db'))).rejects.toThrow('it is the database of another program');
  await expect(keep(folder)).rejects.toThrow('is a folder; set the path of a file in it');
  await expect(keep('/dev/null')).rejects.toThrow('is not a regular file');
  expect(readdirSync(folder).toSorted()).toEqual(['hubwatch.db', 'other.db']);
});

test('kept store: belongs to the chain that it was first used for', async () => {
  const folder = temporaryFolder();
  const first = await keep(file(folder), 'hub-one');
  await first.store.close();
  await expect(keep(file(folder), 'hub-two')).rejects.toThrow(
    'belongs to chain hub-one, but network.chain_id is hub-two; set another store.path for this chain',
  );
  const again = await keep(file(folder), 'hub-one');
  expect(again.store.fault()).toBeUndefined();
});

test('store lock: a symbolic link, a removed lock file and a store in use by another process do not bypass it', async () => {
  const folder = temporaryFolder();
  const { store, until } = await keep(file(folder));
  symlinkSync(file(folder), join(folder, 'link.db'));
  const refusal = 'is in use by another hubwatch; stop that one, or set another path';
  await expect(keep(join(folder, 'link.db'))).rejects.toThrow(refusal);
  rmSync(`${file(folder)}.lock`);
  await expect(keep(join(folder, 'link.db'))).rejects.toThrow(refusal);
  await expect(lockStore(file(folder))).rejects.toThrow(refusal);
  for (const end of ['', '-wal', '-shm']) rmSync(`${file(folder)}${end}`);
  await until('gone');
  await until(undefined);
  rmSync(`${file(folder)}.lock`, { force: true });
  await expect(keep(file(folder))).rejects.toThrow(refusal);
  await store.close();
  const next = await keep(join(folder, 'link.db'));
  expect(next.store.path).toBe(file(folder));
});

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finish } from '../slices.js';
import { createHeartbeatHistory } from './heartbeat-history.js';
import { lockStore } from './lock.js';
import { migrations } from './migrations.js';
import { openStore } from './store.js';
import { countRows, tablesOf } from './table-copy.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hubwatch-store-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const file = (): string => join(folder, 'hubwatch.db');

test('store: a new file is migrated, private and fully synchronous', () => {
  const store = openStore(file());
  expect(store.all('PRAGMA user_version')[0]?.['user_version']).toBe(migrations.length);
  expect(store.all('PRAGMA synchronous')[0]?.['synchronous']).toBe(2);
  expect(store.all('PRAGMA journal_mode')[0]?.['journal_mode']).toBe('wal');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(store.bytes()).toBeGreaterThan(0);
  store.close();
});

test('store: committed data are present after reopening', () => {
  const first = openStore(file());
  first.run('INSERT INTO facts VALUES (?, ?)', 'a', 'b');
  first.close();
  const second = openStore(file());
  expect(second.all('SELECT value FROM facts')[0]?.['value']).toBe('b');
  second.close();
});

test('store: waiting notices in a file from an earlier version are still there after the migration', () => {
  const old = new Libsql(file());
  for (const step of migrations.slice(0, 2)) old.exec(step);
  old.exec(
    "PRAGMA user_version = 2; INSERT INTO outbox (id, alert_id, thread_id, channel, notice, created_ms) VALUES ('n', 'a', 't', 'email', '{}', 5)",
  );
  old.close();
  const store = openStore(file());
  expect(store.all('SELECT id, recipient, stream, thread_id, state FROM outbox')).toEqual([
    { id: 'n', recipient: '', stream: 'a', thread_id: 't', state: 'waiting' },
  ]);
  store.close();
});

test('store: a transaction that throws has no effect, nested ones included', () => {
  const store = openStore(file());
  expect(() =>
    store.transaction(() => {
      store.run('INSERT INTO facts VALUES (?, ?)', 'a', 'b');
      store.transaction(() => {
        store.run('INSERT INTO facts VALUES (?, ?)', 'c', 'd');
      });
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(store.all('SELECT * FROM facts')).toEqual([]);
  store.run('INSERT INTO facts VALUES (?, ?)', 'a', 'b');
  store.close();
});

test('store: a file of a newer version and an impossible path are rejected with the remedy', () => {
  const store = openStore(file());
  store.run(`PRAGMA user_version = ${migrations.length + 1}`);
  store.close();
  expect(() => openStore(file())).toThrow('was written by a newer hubwatch');
  expect(() => openStore(join(folder, 'absent', 'x.db'))).toThrow('must exist and be writable');
});

test('store: is locked by one daemon until that one has ended', async () => {
  const unlock = await lockStore(file());
  const refusal = `store.path: ${file()} is in use by another hubwatch; stop that one`;
  await expect(lockStore(file())).rejects.toThrow(refusal);
  unlock();
  const again = await lockStore(file());
  again();
  await expect(lockStore(join(folder, 'absent', 'x.db'))).rejects.toThrow('its folder must exist and be writable');
});

test('heartbeat history: keeps the last 21 times of each node, once each, across restarts', () => {
  const store = openStore(file());
  const history = createHeartbeatHistory(store);
  for (let at = 1; at <= 30; at += 1) history.add('a', at);
  history.add('a', 30);
  history.add('b', 5);
  expect(history.times('a')).toEqual(Array.from({ length: 21 }, (_, index) => index + 10));
  store.close();
  const again = openStore(file());
  expect(createHeartbeatHistory(again).times('a')).toHaveLength(21);
  expect(createHeartbeatHistory(again).times('b')).toEqual([5]);
  again.close();
});

test('store: a file of another kind and a folder are named as such', () => {
  writeFileSync(file(), 'no database '.repeat(100));
  expect(() => openStore(file())).toThrow(`store.path: ${file()} is not a store of hubwatch (it is not a database)`);
  expect(() => openStore(folder)).toThrow(`store.path: ${folder} is a folder; set the path of a file in it`);
});

test('row count: in pieces it is that of SQL, whatever the keys', () => {
  const store = openStore(':memory:');
  store.run(
    `INSERT INTO ledger (height, position, node, kind)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) SELECT i / 7, i % 7, 'n', 'k' FROM n`,
  );
  store.run("INSERT INTO facts VALUES ('a', ''), ('b', ''), ('c', '')");
  const counted = (atOnce: number): unknown[] =>
    tablesOf(store)
      .map((table) => [table.name, finish(countRows(store, table, atOnce))])
      .filter(([, rows]) => rows !== 0);
  for (const atOnce of [1, 3, 7, 50, 99, 100, 101])
    expect(counted(atOnce), String(atOnce)).toEqual([
      ['ledger', 100],
      ['facts', 3],
    ]);
  store.close();
});

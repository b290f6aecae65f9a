import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { backupStore } from './backup.js';
import { openStore } from './store.js';

/** Runs a restore that is killed before its n-th rename, link or removal. @returns whether it completed */
async function restore(path: string, backup: string, killAt: number): Promise<boolean> {
  const script = join(import.meta.dirname, '../../test/restore-child.ts');
  const args = ['--conditions=@hubwatch/source', '--import', 'tsx', script, path, backup, String(killAt)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(code === 0 || signal === 'SIGKILL', `code ${code}`).toBe(true);
  return code === 0;
}

/** Reads the text in a store from a copy of it. */
function textOf(path: string): string {
  const copy = join(temporaryFolder(), 'copy.db');
  for (const end of ['', '-wal']) if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
  const store = openStore(copy);
  expect(store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const text = String(store.all("SELECT value FROM facts WHERE name = 'which'")[0]?.['value']);
  store.close();
  return text;
}

test('restore: killed at any rename, link or removal, the path leads to one whole store, and a second run completes', async () => {
  const start = temporaryFolder();
  openStore(join(start, 'hubwatch.db')).close();
  const set = (which: string): void => {
    const db = new Libsql(join(start, 'hubwatch.db'));
    db.exec(`INSERT OR REPLACE INTO facts VALUES ('which', '${which}')`);
    db.close();
  };
  set('of the backup');
  await backupStore(join(start, 'hubwatch.db'), join(start, 'backup.db'));
  set('old');
  const found: string[] = [];
  for (let killAt = 1; ; killAt += 1) {
    const folder = temporaryFolder();
    cpSync(start, folder, { recursive: true });
    const [path, backup] = [join(folder, 'hubwatch.db'), join(folder, 'backup.db')];
    const isDone = await restore(path, backup, killAt);
    found.push(textOf(path));
    if (isDone) break;
    expect(await restore(path, backup, Number.POSITIVE_INFINITY)).toBe(true);
    expect(textOf(path)).toBe('of the backup');
  }
  // Some kills come before the exchange and some after it.
  expect([...new Set(found)]).toEqual(['old', 'of the backup']);
  expect(found.length).toBeGreaterThan(4);
});

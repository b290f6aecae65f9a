import { Connection, migrations } from '@hubwatch/daemon/parts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RandomSource } from '../random-source.js';
import { type Content, contentOf, difference, schemaOf, tableNames, versionOf } from './content.js';
import { expectedAfter } from './expected.js';
import { addRandomRows } from './random-rows.js';
import { differentReading, expectedReadings, readingsOf } from './readings.js';
import { storeText } from './store-text.js';

/** Maximum number of kills per migration; the start after the last kill is not interrupted. */
const mostKills = 3;

export interface Trial {
  readonly version: number;
  readonly folder: string;
  readonly program: string;
  readonly random: RandomSource;
  /** Ledger entries; with many of them a migration is long enough to be killed. */
  readonly ledgerRows: number;
  /** Longest duration of an uninterrupted migration so far, milliseconds. */
  readonly longestMs: number;
}

export interface TrialOutcome {
  /** Versions of the store after each kill. */
  readonly left: readonly number[];
  readonly rows: number;
  readonly migrationMs: number;
}

/** Migrates a store of a version with kills in between. @throws Error that describes the loss or the incomplete migration */
export async function tryMigration(trial: Trial): Promise<TrialOutcome> {
  const { version, folder, random } = trial;
  const path = join(folder, 'hubwatch.db');
  write(path, trial);
  const old = look(path, folder, contentOf);
  const left: number[] = [];
  let reached = version;
  for (let kills = random.below(mostKills + 1); kills > 0; kills -= 1) {
    await open(trial, path, random.below(Math.ceil(trial.longestMs * 10)) / 10);
    reached = checkSchema(path, folder, reached);
    left.push(reached);
  }
  const migrationMs = await open(trial, path, undefined);
  if (checkSchema(path, folder, reached) !== migrations.length)
    throw new Error('a start did not migrate it to the end');
  checkContent(old, path, folder);
  return { left, rows: [...old.values()].reduce((sum, rows) => sum + rows.length, 0), migrationMs };
}

function write(path: string, { version, random, ledgerRows }: Trial): void {
  const connection = new Connection(path);
  try {
    connection.exec(`BEGIN; ${storeText(version)} COMMIT`);
    addRandomRows(connection, random, { ledger: ledgerRows, others: 30 });
  } finally {
    connection.retire();
  }
}

/** Opens the store in a separate process, which is killed after some time. @returns how long the migration took */
async function open({ program }: Trial, path: string, killAfterMs: number | undefined): Promise<number> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let [text, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const opening = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('opening')) resolve();
    });
  });
  await Promise.race([opening, exit]);
  const started = performance.now();
  if (killAfterMs !== undefined) {
    await pause(killAfterMs);
    child.kill('SIGKILL');
  }
  const [code] = (await exit) as [number | null];
  if (code !== 0 && killAfterMs === undefined) throw new Error(`a start ended with ${code}: ${errors}`);
  return performance.now() - started;
}

/** Reads from a copy, because opening the file itself would merge its log into it. */
function look<T>(path: string, folder: string, read: (connection: Connection) => T): T {
  const copy = join(folder, 'copy.db');
  for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  for (const end of ['', '-wal']) if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
  const connection = new Connection(copy);
  try {
    return read(connection);
  } finally {
    connection.retire();
  }
}

/** @returns the version of a store @throws Error if its tables are not those of that version */
function checkSchema(path: string, folder: string, atLeast: number): number {
  return look(path, folder, (connection) => {
    const version = versionOf(connection);
    if (version < atLeast) throw new Error(`version ${version} after version ${atLeast}`);
    const damage = connection.all('PRAGMA integrity_check')[0]?.['integrity_check'];
    if (damage !== 'ok') throw new Error(`damaged at version ${version}: ${String(damage)}`);
    const [expected, found] = [schemaOfVersion(version), schemaOf(connection)];
    const wrong = expected.find((sql) => !found.includes(sql)) ?? found.find((sql) => !expected.includes(sql));
    if (wrong !== undefined) throw new Error(`half of a migration at version ${version}: ${wrong}`);
    return version;
  });
}

const schemas = new Map<number, readonly string[]>();

/** Tables and indexes that the migrations up to a version create. */
function schemaOfVersion(version: number): readonly string[] {
  const known = schemas.get(version);
  if (known !== undefined) return known;
  const connection = new Connection(':memory:');
  for (const step of migrations.slice(0, version)) connection.exec(step);
  const schema = schemaOf(connection);
  connection.close();
  schemas.set(version, schema);
  return schema;
}

function checkContent(old: Content, path: string, folder: string): void {
  const [found, tables] = look(path, folder, (connection) => [contentOf(connection), tableNames(connection)] as const);
  const expected = expectedAfter(old, tables);
  const wrong = difference(expected, found) ?? differentReading(expectedReadings(expected), readingsOf(path));
  if (wrong !== undefined) throw new Error(wrong);
}
